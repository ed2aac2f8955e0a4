import { CtxError } from '@ctx/core';
import { checkWrite } from '../check/check-write.ts';
import { plainOperations } from '../plain-operations.ts';
import type {
  CollectionRange,
  PatchRange,
  StoreBackend,
  WriteOperation,
  WriteOptions,
} from '../store-backend.ts';
import { takeTurns } from '../take-turns.ts';
import { type HeldCollections, heldCollections } from './held-collections.ts';
import { heldReads } from './held-reads.ts';

/** A backend whose writes wait. */
export interface HeldWrites {
  /** Its reads see what was written to it. */
  readonly backend: StoreBackend;
  /**
   * Writes all that waits, and `more` after it, as one write; nothing is taken after that.
   * @throws `CTX_STORE_CONFLICT` if a record is not what it was when a held write expected something of it
   */
  commit(more?: readonly WriteOperation[]): Promise<void>;
}

/** Most operations that wait, unless said otherwise. */
const usualMost = 50_000;

const closedText = {
  new: 'the writes that wait are not open yet',
  over: 'what waited is written or dropped already; nothing more can wait with it',
} as const;

interface Waiting {
  readonly operations: WriteOperation[];
  readonly emptyRanges: CollectionRange[];
  readonly patchRanges: PatchRange[];
  durability: WriteOptions['durability'];
}

interface Holding {
  readonly base: StoreBackend;
  readonly collections: HeldCollections;
  readonly waiting: Waiting;
  readonly most: number;
}

/** Whether the store itself has nothing there: where held deletes emptied a range, the store can't be asked to find it empty. */
async function isEmptyIn(base: StoreBackend, range: CollectionRange): Promise<boolean> {
  for await (const _ of base.scan({ ...range, limit: 1, part: 'columns' })) return false;
  return true;
}

/** Ranges are patched before all operations, so only those stay ranges to which no held write came before. */
function splitRanges(
  { patchRanges = [] }: WriteOptions,
  collections: HeldCollections,
): { readonly kept: readonly PatchRange[]; readonly spelled: readonly PatchRange[] } {
  const isKept = ({ collection }: PatchRange): boolean =>
    collections.find(collection) === undefined &&
    patchRanges.filter((other) => other.collection === collection).length === 1;
  return {
    kept: patchRanges.filter(isKept),
    spelled: patchRanges.filter((range) => !isKept(range)),
  };
}

function optionsOf({ emptyRanges, patchRanges, durability }: Waiting): WriteOptions {
  return {
    ...(emptyRanges.length > 0 && { emptyRanges }),
    ...(patchRanges.length > 0 && { patchRanges }),
    ...(durability !== undefined && { durability }),
  };
}

function checkRoom(waiting: Waiting, more: number, most: number): void {
  const count = waiting.operations.length + more;
  if (count <= most) return;
  const text = `a request with an Idempotency-Key changes at most ${String(most)} records, this one ${String(count)}; send it in parts, or without the key`;
  throw new CtxError('CTX_TOO_LARGE', text);
}

/** Adds one write to those that wait. */
async function hold(
  { base, collections, waiting, most }: Holding,
  operations: readonly WriteOperation[],
  options: WriteOptions,
): Promise<void> {
  const { scan } = heldReads(base, collections);
  const { kept, spelled } = splitRanges(options, collections);
  const patches = await plainOperations(scan, [], { patchRanges: kept });
  const rest = await plainOperations(scan, operations, { ...options, patchRanges: spelled });
  checkRoom(waiting, patches.length + rest.length, most);
  const all = [...patches, ...rest];
  const ranges: CollectionRange[] = [];
  for (const range of options.emptyRanges ?? []) {
    if (await isEmptyIn(base, range)) ranges.push(range);
  }
  try {
    await collections.load(base, all);
    collections.stage(all);
  } finally {
    collections.forgetUnchanged(all);
  }
  waiting.operations.push(...rest);
  waiting.emptyRanges.push(...ranges);
  waiting.patchRanges.push(...kept);
  if (options.durability === 'power') waiting.durability = 'power';
}

/**
 * Holds the writes of one piece of work until all of them can be one write, together with a record that says it was done.
 * What the work expects of records and ranges holds when they are written, too: else the work has to be done again, over a new one of these.
 * Use it only for one request: other readers do not see what waits.
 *
 * @param base open, or opened by the first `open` of what is returned; closed with it
 * @param most operations that may wait; one more rejects with `CTX_TOO_LARGE`
 */
export function holdWrites(base: StoreBackend, { most = usualMost } = {}): HeldWrites {
  let state: 'new' | 'open' | 'over' = 'new';
  const collections = heldCollections();
  const waiting: Waiting = {
    operations: [],
    emptyRanges: [],
    patchRanges: [],
    durability: undefined,
  };
  const holding: Holding = { base, collections, waiting, most };
  const inTurn = takeTurns();
  const backend: StoreBackend = {
    contract: base.contract,
    name: base.name,
    ...heldReads(base, collections),
    supports: { ...base.supports, watch: false },
    open: async (definitions, { onUnsearched } = {}) => {
      await base.open(definitions, onUnsearched && { onUnsearched });
      state = 'open';
      for (const definition of definitions) {
        collections.definitions.set(definition.name, structuredClone(definition));
      }
    },
    write: async (operations, options = {}) => {
      if (state !== 'open') throw new CtxError('CTX_STORE_CLOSED', closedText[state]);
      checkWrite(collections.definitions, { operations, options });
      const [own, ownOptions] = structuredClone([operations, options] as const);
      await inTurn(['write'], () => hold(holding, own, ownOptions));
    },
    close: async () => {
      state = 'over';
      await base.close();
    },
  };
  return {
    backend,
    commit: (more = []) =>
      inTurn(['write'], async () => {
        state = 'over';
        const operations = [...waiting.operations, ...more];
        if (operations.length === 0 && waiting.patchRanges.length === 0) return;
        await base.write(operations, optionsOf(waiting));
      }),
  };
}
