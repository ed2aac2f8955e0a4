import type { FileLines } from '../files/file-coverage.ts';
import { wholeFile } from '../files/line-range.ts';
import { argumentsOf, each, isPath, notSource, placesRead, searchers } from './shell-arguments.ts';
import type { Pipeline, SimpleCommand } from './shell-commands.ts';
import { linesAfter, linesPassed, optionOf, programName } from './shown-lines.ts';

/** How a result shows source: files as they are, changes to them, or lines that match. */
export type ShownAs = 'file' | 'diff' | 'search';

/** What the output of some programs shows; `shows` is `undefined` where that is no source. */
export interface Shown {
  readonly shows: ShownAs | undefined;
  readonly shown: readonly FileLines[];
}

/** No source. */
export const nothing: Shown = { shows: undefined, shown: [] };

const allUnknown = (paths: readonly string[]): FileLines[] =>
  paths.map((path) => ({ path, lines: 'unknown' }));

/** Options with which git tells about changes without showing them. */
const briefly =
  /^(?:--(?:stat|shortstat|numstat|name-only|name-status|check|quiet|summary|no-patch|oneline)(?:=.*)?|-s)$/;

/** What git is asked for, without the options that stand before the verb. */
function gitVerb({ words }: SimpleCommand): readonly string[] {
  let start = 1;
  while (words[start]?.startsWith('-')) start += /^-[Cc]$/.test(words[start] ?? '') ? 2 : 1;
  return words.slice(start);
}

function showsChanges(verb: string, words: readonly string[]): boolean {
  if (words.some((word) => briefly.test(word))) return false;
  const isPatch = words.some((word) => /^(?:-p|--patch|-L.*)$/.test(word));
  return ['diff', 'show', 'blame'].includes(verb) || (['log', 'stash'].includes(verb) && isPatch);
}

/** A file of a commit or of the index, such as `HEAD~2:src/a.ts` and `:src/a.ts`. */
const blob = /^(?:[^-:][^:]*|:[0-3])?:(?!\/)[^:]*[^:/]$/;

function gitShows(command: SimpleCommand): Shown {
  const [verb = '', ...rest] = gitVerb(command);
  if (verb === 'grep') return searchShows({ ...command, words: ['grep', ...rest] });
  const isRaw = verb === 'show' || (verb === 'cat-file' && !/^-[ets]$/.test(rest[0] ?? ''));
  const blobs = isRaw ? rest.filter((word) => blob.test(word)) : [];
  const files = blobs.map((word) => word.slice(word.lastIndexOf(':') + 1));
  if (files.length > 0) return { shows: 'file', shown: allUnknown(files) };
  if (!showsChanges(verb, rest)) return nothing;
  const dashes = rest.indexOf('--');
  const named = dashes < 0 ? [] : rest.slice(dashes + 1).filter(isPath);
  return { shows: 'diff', shown: allUnknown(named) };
}

/** Options with which a search lists names or counts. */
const namesOnly = /^--(?:files|count|quiet|json|type-list)/;

function listsNames(word: string): boolean {
  return namesOnly.test(word) || (/^-[a-zA-Z]+$/.test(word) && /[lLcq]/.test(word));
}

function searchShows(command: SimpleCommand): Shown {
  if (command.words.some((word) => listsNames(word))) return nothing;
  const [, ...places] = argumentsOf(command);
  const files = places.filter((word) => isPath(word) && /\.[A-Za-z0-9]{1,8}$/.test(word));
  return { shows: 'search', shown: allUnknown(files) };
}

/** Files of JSON and its like, of which a program shows parts. */
const data = /[^.]\.(?:\w{0,20}json\w?|ya?ml|toml|xml)$/i;

function dataShows({ words, reads }: SimpleCommand): Shown {
  const files = [...words, ...reads].filter((word) => isPath(word) && data.test(word));
  const source = files.filter((path) => !notSource.test(path));
  return source.length === 0 ? nothing : { shows: 'search', shown: allUnknown(source) };
}

function powershellShows({ words }: SimpleCommand): Shown {
  const [, ...rest] = words;
  const named = optionOf(rest, /^-(?:literal)?path$/i);
  const path = named ?? rest.find((word) => !word.startsWith('-'));
  const last = Number(optionOf(rest, /^-(?:totalcount|head|first)$/i));
  if (path === undefined || !/[./\\]/.test(path) || notSource.test(path)) return nothing;
  const isEnd = rest.some((word) => /^-(?:tail|last)$/i.test(word));
  const lines = last > 0 ? { first: 1, last } : wholeFile;
  const paths = path.split(',').filter((one) => one !== '');
  return {
    shows: 'file',
    shown: paths.map((one) => ({ path: one, lines: isEnd ? 'unknown' : lines })),
  };
}

function selectStringShows(command: SimpleCommand): Shown {
  const { shown } = powershellShows(command);
  return { shows: 'search', shown: allUnknown(shown.map(({ path }) => path)) };
}

/** Tells whether a program is started that shows files whose names come from elsewhere: `-exec cat`, `xargs sed -n 1,40p`. */
function startsReader(words: readonly string[]): boolean {
  const program = words.find((word) => !word.startsWith('-') && !/^\d+$/.test(word));
  return shownBy.get(programName(program ?? '')) === readerShows;
}

/** Source of files that are not named. */
const unnamed: Shown = { shows: 'file', shown: [] };

function findShows({ words }: SimpleCommand): Shown {
  const start = words.findIndex((word) => word.startsWith('-exec'));
  return start >= 0 && startsReader(words.slice(start + 1)) ? unnamed : nothing;
}

function ghShows({ words: [, what, verb, ...rest] }: SimpleCommand): Shown {
  const isDiff = what === 'pr' && verb === 'diff' && !rest.includes('--name-only');
  return isDiff ? { shows: 'diff', shown: [] } : nothing;
}

function diffShows(command: SimpleCommand): Shown {
  if (command.words.some((word) => /^(?:-q|--brief)$/.test(word))) return nothing;
  return { shows: 'diff', shown: allUnknown(argumentsOf(command).filter(isPath)) };
}

function readerShows(command: SimpleCommand): Shown {
  const lines = linesPassed(command.words);
  if (lines === undefined || command.heredoc !== undefined) return nothing;
  const places = placesRead(command);
  const source = places.filter((path) => !notSource.test(path));
  const files = source.filter(isPath);
  if (files.length === 0) return source.some((path) => /[*?{]/.test(path)) ? unnamed : nothing;
  // To most programs several files are one text.
  const isEach = lines === wholeFile || places.length === 1 || command.words[0] === 'head';
  return {
    shows: 'file',
    shown: files.map((path) => ({
      path,
      lines: isEach && places.length === files.length ? lines : 'unknown',
    })),
  };
}

const shownBy = new Map<string, (command: SimpleCommand) => Shown>([
  ...each('cat tac nl bat less more head tail sed awk perl', readerShows),
  ...each(searchers, searchShows),
  ...each('jq yq', dataShows),
  ...each('get-content gc type', powershellShows),
  ...each('select-string sls', selectStringShows),
  ['git', gitShows],
  ['gh', ghShows],
  ['diff', diffShows],
  ['find', findShows],
]);

/** `sed -n '1,20p;40,50p'` in the words of one command for each range. */
function eachRange(words: readonly string[]): readonly (readonly string[])[] {
  const at = words.findIndex((word) => /^\d+,\d+p(?:[;\s]+\d+,\d+p)+$/.test(word));
  return words[at]?.split(/[;\s]+/).map((range) => words.with(at, range)) ?? [words];
}

/** What the first program of a pipeline shows before the others filter it. */
function sourceOf(command: SimpleCommand): Shown {
  const { words } = command;
  // What Python formats JSON with is a program of its own.
  const name = words.includes('json.tool') ? 'jq' : programName(words[0] ?? '');
  const all = eachRange([name, ...words.slice(1)]).map(
    (each) => shownBy.get(name)?.({ ...command, words: each }) ?? nothing,
  );
  return { shows: all[0]?.shows, shown: all.flatMap(({ shown }) => shown) };
}

/** Programs that pass on some of the lines that come in. */
const filters = new Set('grep egrep rg sort uniq column fmt select-string'.split(' '));

function filtered({ shows, shown }: Shown, filter: SimpleCommand): Shown {
  const name = programName(filter.words[0] ?? '');
  if (name === 'xargs' && startsReader(filter.words.slice(1))) return unnamed;
  const passed = linesPassed(filter.words);
  if (passed !== undefined) {
    // Of several files one after the other no line is at its own place.
    const isOne = shown.length === 1 || passed === wholeFile;
    return {
      shows,
      shown: shown.map(({ path, lines }) => ({
        path,
        lines: isOne ? linesAfter(lines, passed) : 'unknown',
      })),
    };
  }
  if (!filters.has(name)) return nothing;
  const isFile = shows === 'file';
  return { shows: isFile ? 'search' : shows, shown: allUnknown(shown.map(({ path }) => path)) };
}

/** What a pipeline shows. A filter that counts or computes shows no source, and what goes to a file is not shown. */
export function pipelineShows([first, ...rest]: Pipeline): Shown {
  const last = rest.at(-1) ?? first;
  if (first === undefined || last?.writes.some((path) => !path.startsWith('/dev/'))) return nothing;
  return rest.reduce(filtered, sourceOf(first));
}
