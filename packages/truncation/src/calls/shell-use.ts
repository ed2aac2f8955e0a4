import type { FileLines } from './files/file-coverage.ts';
import { argumentsOf, filesRead, isPath, notSource } from './shell-arguments.ts';
import { type Pipeline, pipelinesOf, type SimpleCommand } from './shell-commands.ts';
import { nothing, pipelineShows, type Shown, type ShownAs } from './shell-shows.ts';
import { type Variables, withVariables } from './shell-variables.ts';

/** What a command line does with files. */
export interface ShellUse extends Shown {
  /** Files that it changes. */
  readonly edited: readonly string[];
  /** Whether it also runs programs whose output is something else, such as tests. */
  readonly isMixed: boolean;
}

/** Most files that one command names. */
const maxFiles = 12;

/** Programs that say little beside what a reading program shows. */
const quiet = new Set(
  'cd echo printf pwd ls wc true : set export source mkdir test [ [[ which date sleep git gofmt find fd basename dirname for done fi then case esac exit return rm cp mv touch chmod'.split(
    ' ',
  ),
);

const opened =
  /(?:open|Path|read_text_file|readFileSync|readFile|File\.read|File\.readlines)\( ?["']([^"'\n]{1,300})["']/g;
const writes = /write_text\(|\.write\(|writeFileSync\(/;

/** Longest arguments of a call that opens a file, characters. */
const maxArguments = 300;

/** Whether a script opens a file to write it: `open(path, 'w')`. */
function opensToWrite(script: string): boolean {
  return script.split('open(').some((rest, index) => {
    const [given = ''] = rest.slice(0, maxArguments).split(/[)\n]/, 1);
    return index > 0 && /,\s?["'][wa]/.test(given);
  });
}

type Use = Omit<ShellUse, 'isMixed'>;

/** What a program of a few lines prints of files, or changes. */
function scriptUse(script: string): Use {
  const named = [...script.matchAll(opened)].map(([, path = '']) => path);
  const paths = [...new Set(named)].filter(isPath);
  if (writes.test(script) || opensToWrite(script)) return { ...nothing, edited: paths };
  const shown = paths.filter((path) => !notSource.test(path) && !path.endsWith('.json'));
  if (shown.length === 0 || !/\bprint\(|console\.log\(|stdout\.write\(|\bputs\b/.test(script))
    return { ...nothing, edited: [] };
  return { shows: 'file', shown: shown.map((path) => ({ path, lines: 'unknown' })), edited: [] };
}

/** The text of a program that is given to an interpreter. */
function scriptOf({ words, heredoc }: SimpleCommand): string | undefined {
  if (!/^(?:\S*\/)?(?:python[0-9.]*|node|ruby|deno|bun)$/.test(words[0] ?? '')) return undefined;
  const inline = words.findIndex((word) => word === '-c' || word === '-e');
  return inline < 0 ? heredoc : words[inline + 1];
}

/** The command line that is given to another shell. */
function innerCommand({ words }: SimpleCommand): string | undefined {
  if (!/^(?:\S*\/)?(?:bash|sh|zsh|pwsh|powershell(?:\.exe)?)$/i.test(words[0] ?? ''))
    return undefined;
  const option = words.findIndex((word) => /^-(?:l?c|command)$/i.test(word));
  return option < 0 ? undefined : words[option + 1];
}

/** Programs whose output is what the model wrote itself; the output of others in a file is no edit. */
const writers = new Set(['cat', 'echo', 'printf', 'tee']);

/** Files that a command changes, as far as its text says how. */
function editedBy(command: SimpleCommand): string[] {
  const [program = '', ...words] = command.words;
  const isInPlace = words.some((word) => /^-[a-zA-Z]*i/.test(word));
  if (program === 'sed' && isInPlace) return filesRead(command);
  const isOwn = writers.has(program) && (program !== 'cat' || command.heredoc !== undefined);
  if (!isOwn) return [];
  const named = program === 'tee' ? argumentsOf(command) : command.writes;
  return named.filter((path) => isPath(path) && !path.startsWith('/dev/'));
}

function pipelineUse(pipeline: Pipeline): ShellUse {
  const script = pipeline.map(scriptOf).find((text) => text !== undefined);
  const use = script === undefined ? { ...pipelineShows(pipeline), edited: [] } : scriptUse(script);
  const edited = [...use.edited, ...pipeline.flatMap(editedBy)];
  const isQuiet = quiet.has(pipeline[0]?.words[0] ?? ':') || edited.length > 0;
  return { ...use, edited, isMixed: use.shows === undefined && !isQuiet };
}

function inFolder(folder: string | undefined, path: string): string {
  const isWhole = path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path);
  return folder === undefined || isWhole ? path : `${folder}/${path}`;
}

const strongest: readonly ShownAs[] = ['file', 'diff', 'search'];

/** What several programs do one after the other. */
export function joinUses(uses: readonly ShellUse[]): ShellUse {
  const shown: readonly FileLines[] = uses.flatMap((use) => use.shown);
  return {
    shows: strongest.find((kind) => uses.some(({ shows }) => shows === kind)),
    shown: shown.slice(0, maxFiles),
    edited: [...new Set(uses.flatMap(({ edited }) => edited))].slice(0, maxFiles),
    isMixed: uses.some(({ isMixed }) => isMixed),
  };
}

/** Deepest shell in a shell that is looked into. */
const maxDepth = 3;

/** Programs of PowerShell and its older brother that read files. */
const windowsReaders = /(?:^|[\s"'(;|])(?:get-content|gc|type|select-string)\s/i;

/** To these a backslash is a part of a path. */
function withSlashes(command: string): string {
  return windowsReaders.test(command) ? command.replace(/\\(?=[\w.])/g, '/') : command;
}

/**
 * Tells what a command line shows of files, and what it changes. `folder`: where it runs, where that is known.
 * Takes time linear in the command.
 */
export function shellUse(command: string, folder?: string, depth = 0): ShellUse {
  let place = folder;
  const variables: Variables = new Map();
  const uses = pipelinesOf(withSlashes(command)).map((given): ShellUse => {
    const pipeline = withVariables(given, variables);
    const [first] = pipeline;
    if (first?.words[0] === 'cd') place = inFolder(place, first.words[1] ?? '~');
    const inner = first === undefined ? undefined : innerCommand(first);
    if (inner !== undefined && depth < maxDepth) return shellUse(inner, place, depth + 1);
    const use = pipelineUse(pipeline);
    const shown = use.shown.map(({ path, lines }) => ({ path: inFolder(place, path), lines }));
    return { ...use, shown, edited: use.edited.map((path) => inFolder(place, path)) };
  });
  return joinUses(uses);
}
