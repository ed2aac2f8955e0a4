import type { FileLines } from '../files/file-coverage.ts';
import { filesOpened, programOf, writesFiles } from './script-files.ts';
import { notSource } from './shell-arguments.ts';
import type { Pipeline } from './shell-commands.ts';
import { editedBy } from './shell-edits.ts';
import { inFolder, shellRuns } from './shell-runs.ts';
import { nothing, pipelineShows, type Shown, type ShownAs } from './shell-shows.ts';

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
  'cd echo printf pwd ls wc true : set export source mkdir test [ [[ which date sleep git gofmt find fd basename dirname for done fi case esac exit return rm cp mv touch chmod'.split(
    ' ',
  ),
);

type Use = Omit<ShellUse, 'isMixed'>;

/** What a program of a few lines prints of files, or changes. */
function programUse(program: string): Use {
  const paths = filesOpened(program);
  if (writesFiles(program)) return { ...nothing, edited: paths };
  const shown = paths.filter((path) => !notSource.test(path) && !path.endsWith('.json'));
  if (shown.length === 0 || !/\bprint\(|console\.log\(|stdout\.write\(|\bputs\b/.test(program))
    return { ...nothing, edited: [] };
  return { shows: 'file', shown: shown.map((path) => ({ path, lines: 'unknown' })), edited: [] };
}

function pipelineUse(pipeline: Pipeline): ShellUse {
  const program = pipeline.map(programOf).find((text) => text !== undefined);
  const use =
    program === undefined ? { ...pipelineShows(pipeline), edited: [] } : programUse(program);
  const edited = [...use.edited, ...pipeline.flatMap(editedBy)];
  const isQuiet = quiet.has(pipeline[0]?.words[0] ?? ':') || edited.length > 0;
  return { ...use, edited, isMixed: use.shows === undefined && !isQuiet };
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

/**
 * Tells what a command line shows of files, and what it changes. `folder`: where it runs, where that is known.
 * Takes time linear in the command.
 */
export function shellUse(command: string, folder?: string): ShellUse {
  return joinUses(
    shellRuns(command, folder).map(({ pipeline, folder: place }) => {
      const use = pipelineUse(pipeline);
      const shown = use.shown.map(({ path, lines }) => ({ path: inFolder(place, path), lines }));
      return { ...use, shown, edited: use.edited.map((path) => inFolder(place, path)) };
    }),
  );
}
