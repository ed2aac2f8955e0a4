import {
  type CollectionDefinition,
  completeColumns,
  type OpenOptions,
  type RecordKey,
  type StoredRecord,
} from '@ctx/store/backend';
import type { RecordFile } from '../files/record-file.ts';
import type { FoundWords } from '../journal/journal-line.ts';
import { readStored } from '../read/read-stored.ts';
import type { LockedTurn, StoreState } from '../state/store-state.ts';

/** So many records' files are read in one turn. */
const stepRecords = 64;

type FindWords = (record: StoredRecord) => Readonly<Record<string, string>>;

/** A record that an older ctx put without its words. */
interface OldRecord {
  readonly definition: CollectionDefinition;
  readonly find: FindWords;
  readonly key: RecordKey;
}

async function fileOf(
  { root, index }: LockedTurn,
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

function wordsIn({ definition, find }: OldRecord, file: RecordFile): FoundWords['words'] {
  const { key, version, columns, body } = file;
  return find({ key: [...key], version, columns: completeColumns(definition, columns), body });
}

/** Puts the words of records into the journal: none for one that cannot be read. What was changed meanwhile has its own. */
async function findInTurn(turn: LockedTurn, records: readonly OldRecord[]): Promise<void> {
  const found: FoundWords[] = [];
  for (const record of records) {
    const { key } = record;
    const collection = record.definition.name;
    const entry = turn.index.entry(collection, key);
    if (entry === undefined) continue;
    const file = await fileOf(turn, collection, key);
    if (file !== undefined && (file.words !== 'later' || file.write !== entry.write)) continue;
    const words = file === undefined ? {} : wordsIn(record, file);
    found.push({ collection, key, write: entry.write, words });
  }
  if (found.length === 0) return;
  await turn.log([{ type: 'words', records: found }], false);
  turn.commit();
}

async function indexAll(
  state: StoreState,
  records: readonly OldRecord[],
  {
    isStopped,
    onUnsearched,
  }: { isStopped: () => boolean; onUnsearched: OpenOptions['onUnsearched'] },
): Promise<void> {
  for (let at = 0; at < records.length; at += stepRecords) {
    // Other reads and writes get a turn between two steps.
    await new Promise((resolve) => setImmediate(resolve));
    if (isStopped()) return;
    await state.locked((turn) => findInTurn(turn, records.slice(at, at + stepRecords)));
    onUnsearched?.(Math.max(0, records.length - at - stepRecords));
  }
}

/**
 * Indexes the words of records that an older ctx left without, after the open and a few at a time; until then no search finds them. Returns
 * how to stop that: what is left goes on with the next open.
 * Looks at where the words of each record are kept.
 */
export async function indexOldWords(
  state: StoreState,
  definitions: readonly CollectionDefinition[],
  onUnsearched: OpenOptions['onUnsearched'],
): Promise<() => void> {
  const index = await state.refresh();
  const waiting = definitions.flatMap((definition) =>
    definition.search.length === 0
      ? []
      : index.withoutWords(definition.name).map((key) => ({ definition, key })),
  );
  if (waiting.length === 0) return () => undefined;
  const { storeWords } = await import('@ctx/store');
  onUnsearched?.(waiting.length);
  const records = waiting.flatMap(({ definition, key }) => {
    const find = storeWords[definition.name];
    return find === undefined ? [] : [{ definition, key, find }];
  });
  let isStopped = state.isReadOnly;
  const call = { isStopped: () => isStopped, onUnsearched };
  // What fails, such as on a full disk, is left for the next open; `onUnsearched` has said how many there are.
  indexAll(state, records, call).catch(() => undefined);
  return () => {
    isStopped = true;
  };
}
