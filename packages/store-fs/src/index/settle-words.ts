import {
  type CollectionDefinition,
  completeColumns,
  type OpenOptions,
  type RecordKey,
  type WordsOfRecord,
} from '@ctx/store/backend';
import type { RecordFile } from '../files/record-file.ts';
import type { FoundWords } from '../journal/journal-line.ts';
import { readStored } from '../read/read-stored.ts';
import type { LockedTurn, StoreState } from '../state/store-state.ts';
import type { RecordIndex } from './record-index.ts';
import type { WaitingRecord } from './search-text.ts';

type WordsOf = NonNullable<OpenOptions['wordsOf']>;
type Words = Readonly<Record<string, string>>;

/** Files read at the same time. */
const parallelReads = 16;
/** How often records that changed meanwhile are read again before the lock is taken. */
const quietTries = 3;
/** So many records' words wait before they are put into the journal together, so that later searches read no files. */
const waitingRecords = 32;

/** A collection whose words are looked for. */
interface WordsPlace {
  readonly definition: CollectionDefinition;
  readonly find: WordsOfRecord;
}

async function fileOf(
  { root, index }: Pick<LockedTurn, 'root' | 'index'>,
  collection: string,
  key: RecordKey,
): Promise<RecordFile | undefined> {
  const segment = index.entry(collection, key)?.segment;
  try {
    const file = await readStored(root, { collection, key, segment });
    return typeof file === 'string' ? undefined : file;
  } catch {
    // Reading the record itself tells.
    return undefined;
  }
}

function wordsIn({ definition, find }: WordsPlace, file: RecordFile): Words {
  const { key, version, columns, body } = file;
  return find({ key: [...key], version, columns: completeColumns(definition, columns), body });
}

/** Takes in what waits. Tells whether nothing is left: a record that changed meanwhile stays. */
async function takeInWaiting(
  { root, index }: { readonly root: string; readonly index: RecordIndex },
  place: WordsPlace,
  isLocked: boolean,
): Promise<boolean> {
  const { name } = place.definition;
  const take = async (record: WaitingRecord): Promise<boolean> => {
    const file = await fileOf({ root, index }, name, record.key);
    const write = index.entry(name, record.key)?.write;
    if (file !== undefined && file.write !== write && !isLocked) return false;
    return index.takeIn(name, record, file === undefined ? {} : wordsIn(place, file));
  };
  const waiting = index.waiting(name);
  let isDone = true;
  for (let at = 0; at < waiting.length; at += parallelReads) {
    const taken = await Promise.all(waiting.slice(at, at + parallelReads).map(take));
    isDone = isDone && taken.every(Boolean);
  }
  return isDone;
}

/** Gives the index with all words of a collection taken in. */
export async function indexWithWords(
  state: StoreState,
  definition: CollectionDefinition,
  wordsOf: WordsOf,
): Promise<RecordIndex> {
  const { root } = state;
  const find = Object.hasOwn(wordsOf, definition.name) ? wordsOf[definition.name] : undefined;
  if (find === undefined) return await state.refresh();
  const place = { definition, find };
  for (let attempt = 0; attempt < quietTries; attempt++) {
    const index = await state.refresh();
    if (await takeInWaiting({ root, index }, place, false)) return index;
  }
  if (state.isReadOnly) return await state.refresh();
  return await state.locked(async ({ index }) => {
    await takeInWaiting({ root, index }, place, true);
    return index;
  });
}

/** Records that this process left without words. */
export interface WordsToFind {
  /** Notes records; when they are many their words are looked for behind the write that left them. */
  readonly add: (collection: string, key: RecordKey) => void;
  /** Looks for those of the rest. Within a turn. */
  readonly findRest: (turn: LockedTurn) => Promise<void>;
}

async function findInTurn(
  turn: LockedTurn,
  places: ReadonlyMap<string, WordsPlace>,
  waiting: readonly { readonly collection: string; readonly key: RecordKey }[],
): Promise<void> {
  const found: FoundWords[] = [];
  for (const { collection, key } of waiting) {
    const place = places.get(collection);
    const entry = turn.index.entry(collection, key);
    if (place === undefined || entry === undefined) continue;
    const file = await fileOf(turn, collection, key);
    if (file?.words !== 'later' || file.write !== entry.write) continue;
    found.push({ collection, key, write: file.write, words: wordsIn(place, file) });
  }
  if (found.length === 0) return;
  await turn.log([{ type: 'words', records: found }], false);
  turn.commit();
}

/** Makes the list of records without words. */
export function wordsToFind(
  state: StoreState,
  definitions: ReadonlyMap<string, CollectionDefinition>,
  wordsOf: WordsOf,
): WordsToFind {
  const places = new Map<string, WordsPlace>();
  for (const [name, find] of Object.entries(wordsOf)) {
    const definition = definitions.get(name);
    if (definition !== undefined) places.set(name, { definition, find });
  }
  let waiting: { readonly collection: string; readonly key: RecordKey }[] = [];
  let isScheduled = false;
  const findRest = async (turn: LockedTurn): Promise<void> => {
    const taken = waiting;
    waiting = [];
    isScheduled = false;
    await findInTurn(turn, places, taken);
  };
  return {
    findRest,
    add(collection, key) {
      waiting.push({ collection, key });
      if (isScheduled || waiting.length < waitingRecords) return;
      isScheduled = true;
      setImmediate(() => {
        // What fails here is found by the next search in the records themselves.
        state.locked(findRest).catch(() => undefined);
      });
    },
  };
}
