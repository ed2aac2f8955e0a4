/**
 * Changes the source of a room, one expression at a time, and counts the changes that its tests do not notice. Works on a copy; installs
 * Stryker into `node_modules/.cache` when it is first asked. Prints a line for each file, and where a change survived.
 * Run: `npm run bench -- mutation [ROOM…]`; without a room, all of them, which takes an hour.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Room, rooms } from './mutation/rooms.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'ctx-mutation');
const modules = join(cache, 'node_modules');
/** The newest that runs on Node 20, and the runner of the project. */
const versions = {
  '@stryker-mutator/core': '9.6.1',
  '@stryker-mutator/vitest-runner': '9.6.1',
  vitest: '4.1.12',
};

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}`);
}

function install(): void {
  if (existsSync(join(modules, '@stryker-mutator', 'vitest-runner'))) return;
  mkdirSync(cache, { recursive: true });
  writeFileSync(
    join(cache, 'package.json'),
    JSON.stringify({ private: true, dependencies: versions }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], cache);
}

/** A change, and whether the tests noticed it. */
interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

type Report = Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;

function configOf({ name, folder, mutate, tests }: Room): object {
  const below = (patterns: readonly string[]): string[] =>
    patterns.map((pattern) => `packages/${folder}/${pattern}`);
  const conditions = { conditions: ['@ctx/source'] };
  const never = ['**/node_modules/**', '**/dist/**', '**/*.campaign.test.ts'];
  const test = { include: below(tests), exclude: never, maxWorkers: 1, testTimeout: 60_000 };
  const settings = { resolve: conditions, ssr: { resolve: conditions }, test };
  const configFile = join(cache, 'vitest.config.mjs');
  writeFileSync(configFile, `export default ${JSON.stringify(settings)};\n`);
  const [owner = ''] = folder.split('/');
  return {
    plugins: [join(modules, '@stryker-mutator/vitest-runner/dist/src/index.js')],
    ...{ testRunner: 'vitest', coverageAnalysis: 'perTest' },
    vitest: { configFile, related: false },
    mutate: [...below(mutate), '!**/*.test.ts'],
    ignorePatterns: ['**', `!packages/${owner}/**`, '!package.json', '**/node_modules', '**/dist'],
    // What is evaluated as a module loads would need a start for each change.
    // A change that is only slow, beside other work, must not count as noticed.
    ...{ concurrency: 1, timeoutMS: 60_000, timeoutFactor: 3, ignoreStatic: true },
    ...{ reporters: ['json'], jsonReporter: { fileName: join(cache, `${name}.json`) } },
    ...{ tempDirName: join(cache, 'copy'), logLevel: 'warn' },
  };
}

function measure(room: Room): Report {
  writeFileSync(join(cache, 'config.json'), JSON.stringify(configOf(room)));
  const stryker = join(modules, '@stryker-mutator/core/bin/stryker.js');
  run(process.execPath, [stryker, 'run', join(cache, 'config.json')], root);
  const text = readFileSync(join(cache, `${room.name}.json`), 'utf8');
  return (JSON.parse(text) as { files: Report }).files;
}

const isNoticed = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';
const isMissed = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';

function lineOf(name: string, mutants: readonly Mutant[]): string {
  const noticed = mutants.filter(isNoticed).length;
  const missed = mutants.filter(isMissed).length;
  const share = ((100 * noticed) / Math.max(1, noticed + missed)).toFixed(1);
  return `${name.padEnd(48)} ${share.padStart(5)} % of ${String(noticed + missed)}`;
}

install();
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !rooms.some((room) => room.name === name));
if (unknown !== undefined) {
  throw new Error(`no room ${unknown}: ${rooms.map(({ name }) => name).join(', ')}`);
}
for (const room of rooms) {
  if (wanted.length > 0 && !wanted.includes(room.name)) continue;
  const files = Object.entries(measure(room));
  const all = files.flatMap(([, { mutants }]) => mutants);
  console.log(lineOf(`${room.name}: noticed`, all));
  for (const [path, { mutants }] of files) {
    console.log(`  ${lineOf(path.slice(`packages/${room.folder}/`.length), mutants)}`);
    for (const { location, mutatorName, replacement = '' } of mutants.filter(isMissed)) {
      const { line, column } = location.start;
      const to = replacement.replace(/\s+/g, ' ').slice(0, 80);
      console.log(`    ${String(line)}:${String(column)} ${mutatorName} → ${to}`);
    }
  }
}
