import type { HistoryCall } from '../history.ts';
import { readOwnText } from '../read-own.ts';
import { commandParts } from './command-parts.ts';

/** What bounds a program that it runs, or gives it its versions and settings. */
const wrapper =
  /^(?:(?:g?timeout (?:-{1,2}\S{1,40} ){0,4}\d\S{0,10}|time|nohup|nice(?: -n ?-?\d{1,3})?|env|\w{1,60}=\S{0,200}|mise (?:exec|x)(?: [^\s@]{0,40}(?:@[^\s@]{1,40}){1,2})? --|bundle exec) )+/;

/** What starts the program of a package or of an environment. */
const launcher =
  /^(?:npx (?:--?y(?:es)? |--no-install )?|npm exec (?:-- )?|(?:pnpm|yarn) (?:exec|dlx) |pnpx |bunx |(?:poetry|uv|pipenv|hatch) run |python3?(?:\.\d{1,2})? -m )/;

/** A script of package.json by whichever package manager: `npm test`, `pnpm run test`, `yarn test`. */
const script =
  /^(?:(?:npm|pnpm|yarn|bun) run (?:--silent |-s )?|npm (?=(?:test|t|start)(?: |$))|(?:pnpm|yarn) (?=test(?: |$)))([\w:.-]{1,60})((?: .{1,500})?)$/;

/** Test runners that take files and folders. */
const runner = /^(vitest|jest|mocha|pytest|py\.test)(?= |$)(?: (?:run|--run)(?= |$))?/;

/** Options that leave out no test. With any other, a run that went well says nothing of the rest. */
const harmless =
  /^(?:-[qvxsrA]{1,4}|--(?:run|verbose|silent|ci|bail|coverage|no-coverage|color|no-color|runInBand|quiet|no-header)|-i|-rA|--(?:tb|reporter|maxfail|color|durations|bail|coverage|cov[\w-]{0,10}|no-cov)=\S{1,80})$/;

/** Line of npm, pnpm and yarn that names what a script runs, or its package. */
const echoed = /^([>$]) (.{1,300})$/gm;

/** A package with its version, and the script of it. */
const ofPackage = /^[^\s@]{0,100}(?:@[^\s@]{1,60}){1,2} /;

/** Lines at the beginning of an output in which a package manager names a script, characters. */
const echoReach = 600;

/** A run of tests: what runs it, over which files, and whether all tests in them. */
interface TestRun {
  readonly runner: string;
  readonly targets: readonly string[];
  readonly isWhole: boolean;
}

/** A command of a chain as it is known again by another package manager or launcher. */
function plainRun(part: string): string {
  const run = part.replace(wrapper, '');
  const [, name, args = ''] = script.exec(run) ?? [];
  if (name === undefined) return run.replace(launcher, '');
  return `script ${name === 't' ? 'test' : name}${args.replace(/^ -- /, ' ')}`;
}

/** What a script ran, if the package manager names one command. */
function ranByScript({ result = '' }: HistoryCall, part: string): readonly string[] {
  if (!plainRun(part).startsWith('script ')) return [];
  const lines = [...result.slice(0, echoReach).matchAll(echoed)];
  const [run = '', another] = lines.flatMap(([, sign, run = '']) =>
    sign === '>' && ofPackage.test(run) ? [] : [run],
  );
  return another !== undefined || /[&|;]/.test(run) ? [] : [plainRun(run.trim())].filter(Boolean);
}

function testRunOf(run: string): TestRun | undefined {
  const [start, name] = runner.exec(run) ?? [];
  if (start === undefined || name === undefined) return undefined;
  const words = run
    .slice(start.length)
    .split(' ')
    .filter((word) => word !== '');
  return {
    runner: name === 'py.test' ? 'pytest' : name,
    targets: words
      .filter((word) => !word.startsWith('-'))
      .map((word) => word.replace(/^\.\/|\/$/g, '')),
    isWhole: words.every((word) => !word.startsWith('-') || harmless.test(word)),
  };
}

/** Files that a runner goes over without being told to. */
const collected: Readonly<Record<string, RegExp>> = {
  vitest: /^/,
  jest: /^/,
  pytest: /^(?!.*\.py$)|(?:^|\/)(?:test_[^/]{0,200}|[^/]{1,200}_test)\.py$/,
};

/** Where a run goes over a file: itself, the folders it lies in, and, as '', all. */
function placesOver(name: string, target: string): string[] {
  const file = target.split('::')[0] ?? '';
  const folders = Array.from(file.matchAll(/\//g), ({ index }) => file.slice(0, index));
  const isCollected = collected[name]?.test(file) === true;
  return [...new Set([target, file, ...(isCollected ? ['', ...folders] : [])])];
}

const keyOf = (folder: string, name: string, place: string) => `tests ${folder} ${name} ${place}`;

/** How runners name the file of a test that failed, and how many failed. */
const failures: readonly (readonly [name: string, file: RegExp, count: RegExp])[] = [
  ['vitest', /^ {0,3}FAIL {1,3}(\S{1,300})(?= |$)/gm, /^ {0,5}Test Files {1,5}([1-9]\d*) failed/m],
  ['jest', /^FAIL (\S{1,300})(?= |$)/gm, /^Test Suites: ([1-9]\d*) failed/m],
  ['pytest', /^FAILED ([^\s:]{1,300})::/gm, /^=* ?([1-9]\d*) failed\b/m],
];

/** The one file in which all tests lie that an output names as failed, if it names as many as it counts. */
function failedIn(result: string): readonly (readonly [name: string, file: string])[] {
  return failures.flatMap(([name, sign, count]) => {
    const named = Array.from(result.matchAll(sign), ([, file = '']) => file);
    const [file, another] = new Set(named);
    const counted = Number(count.exec(result)?.[1] ?? 0);
    const told = name === 'pytest' ? named.length : 1;
    return file === undefined || another !== undefined || counted !== told ? [] : [[name, file]];
  });
}

/** The folder in which a command runs, as far as it or an earlier one says: those of two commands are equal only if they say the same. */
export function folderOf({ command = '', input }: HistoryCall, before: string): string {
  const own = [
    readOwnText(input, ['workdir', 'cwd']) ?? '',
    ...commandParts(command).filter((part) => part.startsWith('cd ')),
  ].filter((one) => one !== '');
  return own.length === 0 ? `after ${before.replace(/^after /, '')}` : own.join(' ');
}

/** The runs that a part of a command stands for, by its words and by what a package manager names. */
function runsOf(call: HistoryCall, part: string): string[] {
  return [plainRun(part), ...ranByScript(call, part)];
}

/** What has to go well for a failed run to be over, in the folder where it ran. */
export function neededRuns(call: HistoryCall, part: string, folder: string): readonly string[] {
  const runs = runsOf(call, part);
  const tests = runs.flatMap((run) => {
    const { runner: name, targets } = testRunOf(run) ?? { runner: '', targets: ['', ''] };
    const [target = '', another] = targets;
    return another === undefined ? [[name, target] as const] : [];
  });
  return [
    ...runs.map((run) => `same ${folder} ${run}`),
    ...[...tests, ...failedIn(call.result ?? '')].flatMap(([name, target]) =>
      placesOver(name, target).map((place) => keyOf(folder, name, place)),
    ),
  ];
}

/** What a run that went well shows of other commands, in the same folder. */
export function reachedRuns(
  call: HistoryCall,
  parts: readonly string[],
  folder: string,
): readonly string[] {
  return parts
    .flatMap((part) => runsOf(call, part))
    .flatMap((run) => {
      const { targets = [], isWhole = false, runner: name = '' } = testRunOf(run) ?? {};
      const places = isWhole ? (targets.length === 0 ? [''] : targets) : [];
      return [`same ${folder} ${run}`, ...places.map((place) => keyOf(folder, name, place))];
    });
}
