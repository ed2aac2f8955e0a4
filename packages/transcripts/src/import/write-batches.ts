import type { ContextStore, EventInput, OutputReceipt } from '@ctx/store';
import type { StoredResult } from '../stored/stored-event.ts';
import type { ImportCursor, WrittenTotals } from './import-mark.ts';
import type { PreparedBatch, PreparedEvent } from './prepare-events.ts';

/** Writes batches in order. */
export interface BatchWriter {
  readonly write: (batch: PreparedBatch) => Promise<void>;
  /** What is written. */
  readonly written: () => WrittenState;
}

/** What a writer left in the store. */
export type WrittenState = Pick<ImportCursor, 'events' | 'nextOutput' | 'totals'>;

/** Sums that grow. */
interface Totals {
  outputs: number;
  outputBytes: number;
  outputTokens: number;
  failures: number;
  readonly tools: Map<string, number>;
  readonly redacted: Map<string, number>;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function startTotals({ tools, redacted, ...sums }: WrittenTotals): Totals {
  const maps = {
    tools: new Map(Object.entries(tools)),
    redacted: new Map(Object.entries(redacted)),
  };
  return { ...sums, ...maps };
}

function asWritten({ tools, redacted, ...sums }: Totals): WrittenTotals {
  return {
    ...sums,
    tools: Object.fromEntries(tools),
    redacted: Object.fromEntries(redacted),
  };
}

/** The entry of the log: the event without its results, and where they are. */
function entryOf(
  { kind, at, tokens, sizes, event, results }: PreparedEvent,
  receipts: Iterator<OutputReceipt, unknown, undefined>,
): EventInput {
  let sum = tokens;
  const stored = results.map(({ block, form }): StoredResult => {
    const { done, value } = receipts.next();
    if (done === true) throw new TypeError('each result that was saved gives a receipt');
    if (form !== 'blocks') sum += value.pointer.tokens;
    return { block, form, output: value.pointer.id };
  });
  const entry = { type: kind, tokens: sum, ...(at === undefined ? {} : { at }) };
  const rest = { results: stored, ...(sizes.length === 0 ? {} : { sizes }) };
  if (typeof event !== 'string') return { ...entry, payload: { event, ...rest } };
  return { ...entry, payloadJson: `{"event":${event},${JSON.stringify(rest).slice(1)}` };
}

function countResults(totals: Totals, receipts: readonly OutputReceipt[]): void {
  for (const { pointer } of receipts) {
    totals.outputs += 1;
    totals.outputBytes += pointer.bytes;
    totals.outputTokens += pointer.tokens;
    add(totals.tools, pointer.toolName, 1);
  }
}

/** Writer of one session's log and outputs, after what is stored already. */
export function startBatchWriter(
  store: ContextStore,
  sessionId: string,
  from: WrittenState,
): BatchWriter {
  const totals = startTotals(from.totals);
  let { events, nextOutput } = from;
  return {
    written: () => ({ events, nextOutput, totals: asWritten(totals) }),
    write: async (batch) => {
      const results = batch.events.flatMap((one) => one.results);
      const inputs = results.map(({ input }) => input);
      const receipts = inputs.length === 0 ? [] : await store.outputs.saveAll(inputs);
      const each = receipts[Symbol.iterator]();
      const entries = batch.events.map((one) => entryOf(one, each));
      if (entries.length > 0) await store.events.append(sessionId, entries, { first: events });
      events += entries.length;
      nextOutput = (receipts.at(-1)?.pointer.sequence ?? nextOutput - 1) + 1;
      countResults(totals, receipts);
      totals.failures += results.filter(({ hasFailed }) => hasFailed).length;
      for (const [kind, count] of Object.entries(batch.redacted)) {
        add(totals.redacted, kind, count);
      }
    },
  };
}
