/**
 * Could large reads come in with the lines alone that the work will need? Prints for each set of recorded sessions how much of them a later
 * edit needed (the bound), and, for shares of their lines, how many edits would have found all of theirs: by a model fitted on the other sets,
 * by the words of the user and of edits as ctx shows reads that have left, and by the first lines.
 * Run: `npm run bench -- foresight [--data FOLDER] [--json]`. Takes a minute or two; says so and ends where there is no data.
 */
import { parseArgs } from 'node:util';
import { loadSessions } from '@ctx/replay';
import { fitPredictor, type Predictor, shownBy } from './foresight/predictor.ts';
import { measures, readsOf, type ShownRead } from './foresight/read-lines.ts';
import { dataSets, sharedData, timesIn } from './window-general/data-sets.ts';

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: sharedData() },
    json: { type: 'boolean', default: false },
  },
});

/** Shares of the characters of a read that are shown. */
const shares = [0.2, 0.35, 0.5, 0.7, 0.85, 0.95];
/** What the modes promise: edits that find their lines. */
const wanted = 0.98;

interface SetOfReads {
  readonly name: string;
  readonly reads: readonly ShownRead[];
}

async function readSet({ name, files }: { name: string; files: readonly string[] }) {
  const reads: ShownRead[] = [];
  for (const file of files) {
    for (const { session } of await loadSessions(file, timesIn(flags.data))) {
      reads.push(...readsOf(session));
    }
  }
  return { name, reads };
}

const charactersOf = (reads: readonly ShownRead[], isCounted: (needed: boolean) => boolean) =>
  reads
    .flatMap(({ lines }) => lines)
    .filter(({ isNeeded }) => isCounted(isNeeded))
    .reduce((sum, { characters }) => sum + characters, 0);

/** The share of edits all of whose lines are shown. */
function keptBy(reads: readonly ShownRead[], predictor: Predictor, share: number): number {
  let [edits, kept] = [0, 0];
  for (const read of reads) {
    if (read.edits.length === 0) continue;
    const shown = shownBy(read, predictor, share);
    edits += read.edits.length;
    kept += read.edits.filter((places) => places.every((place) => shown.has(place))).length;
  }
  return edits === 0 ? 1 : kept / edits;
}

const byWords: Predictor = ({ values: [user = 0, edits = 0] }) => user + edits;
const byPlace: Predictor = ({ values }) => 1 - (values[5] ?? 0);

/** The least share of the lines with which enough edits find theirs, in steps of a hundredth. */
function leastShare(reads: readonly ShownRead[], predictor: Predictor): number {
  let [low, high] = [0, 100];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (keptBy(reads, predictor, middle / 100) >= wanted) high = middle;
    else low = middle + 1;
  }
  return low / 100;
}

function report(set: SetOfReads, others: readonly SetOfReads[]) {
  const predictors: Readonly<Record<string, Predictor>> = {
    'fitted on the other sets': fitPredictor(others.flatMap(({ reads }) => reads)),
    'words of user and edits': byWords,
    'first lines': byPlace,
  };
  return {
    ...{ set: set.name, reads: set.reads.length },
    edits: set.reads.reduce((sum, { edits }) => sum + edits.length, 0),
    neededShare: charactersOf(set.reads, (needed) => needed) / charactersOf(set.reads, () => true),
    predictors: Object.entries(predictors).map(([name, predictor]) => ({
      name,
      kept: shares.map((share) => keptBy(set.reads, predictor, share)),
      enough: leastShare(set.reads, predictor),
    })),
  };
}

function print({ set, reads, edits, neededShare, predictors }: ReturnType<typeof report>): void {
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  const title = `${set}: ${String(reads)} reads, ${String(edits)} edits`;
  console.log(
    `\n${title}; needed with 3 lines around: ${percent(neededShare)} of their characters`,
  );
  const heads = shares.map((share) => percent(share).padStart(7)).join('');
  console.log(`${'edits kept, of characters shown'.padEnd(34)}${heads}   98 % kept with`);
  for (const { name, kept, enough } of predictors) {
    const cells = kept.map((share) => percent(share).padStart(7)).join('');
    console.log(`${name.padEnd(34)}${cells}   ${percent(enough)}`);
  }
}

const loaded: SetOfReads[] = [];
for (const set of dataSets(flags.data)) {
  // The long session of pi is in two sets; one is enough.
  if (set.name === 'transcripts/pi-mono') continue;
  const one = await readSet(set);
  // A share of fewer edits says little.
  if (one.reads.reduce((sum, { edits }) => sum + edits.length, 0) >= 15) loaded.push(one);
}
if (loaded.length < 2) {
  process.stderr.write(`too few recorded sessions in ${flags.data}: nothing is measured\n`);
} else {
  const reports = loaded.map((set) =>
    report(
      set,
      loaded.filter((other) => other !== set),
    ),
  );
  if (flags.json) process.stdout.write(`${JSON.stringify(reports)}\n`);
  else {
    console.log(`a line is measured by: ${measures.join(', ')}`);
    reports.forEach(print);
  }
}
