import { fingerprintText } from '@ctx/core/encoding';
import type { WriteOperation } from '@ctx/store/backend';
import type { StoredChannel } from './checkpoint-record.ts';
import { writeDumped } from './checkpoint-record.ts';
import { type Dumper, dumpValue } from './dumped-value.ts';
import type { CheckpointShape, VersionShape } from './host-types.ts';
import type { SaverHost } from './saver-host.ts';
import { elementsOf, isPlainJson, planParts } from './value-parts.ts';

/** The values of one checkpoint on their way into the store. */
export interface ValuesToStore {
  readonly host: SaverHost;
  readonly dumper: Dumper;
  readonly threadId: string;
  readonly namespace: string;
  readonly checkpoint: CheckpointShape;
  /** The channels that changed. */
  readonly changed: ReadonlySet<string>;
  /** Where the values of the checkpoint before are. */
  readonly before: ReadonlyMap<string, StoredChannel>;
  /** Whether that one stays until this one is written, so that its parts are there. Else all that is taken is stored again. */
  readonly mayRest: boolean;
  /** Whether values that are neither changed nor known from before are taken, too. */
  readonly takesUnknown: boolean;
}

/** Shorter values are kept as a whole: parts would take more room. */
const leastListLength = 1024;

/** A part by its channel and the fingerprint of what it holds. */
export type PartName = readonly [channel: string, fingerprint: string];

interface StoredValue {
  readonly stored: StoredChannel;
  /** The parts of it that are stored already. */
  readonly rested: readonly PartName[];
  readonly operations: readonly WriteOperation[];
}

/** Where a value is kept. */
function partsOf({ channel, whole, parts = [] }: StoredChannel): PartName[] {
  const fingerprints = parts.map(({ fingerprint }) => fingerprint);
  if (whole !== undefined) fingerprints.push(whole);
  return fingerprints.map((fingerprint) => [channel, fingerprint]);
}

async function storeValue(
  { host, dumper, threadId, namespace, checkpoint, before, mayRest }: ValuesToStore,
  channel: string,
  version: VersionShape,
): Promise<StoredValue> {
  const put = (fingerprint: string, body: string): WriteOperation =>
    host.parts.put({ key: [threadId, namespace, channel, fingerprint], columns: {}, body });
  const dumped = await dumpValue(dumper, checkpoint.channel_values[channel]);
  const { type, content } = dumped;
  const isLong =
    type === 'json' && typeof content === 'string' && content.length >= leastListLength;
  const elements = isLong ? elementsOf(content) : undefined;
  const kept = mayRest ? before.get(channel)?.parts : undefined;
  const plan = elements && planParts(kept ?? [], elements);
  if (plan === undefined || !plan.fresh.every(({ text }) => isPlainJson(text))) {
    const body = writeDumped(dumped);
    const whole = fingerprintText(body).slice(0, 32);
    return { stored: { channel, version, whole }, rested: [], operations: [put(whole, body)] };
  }
  const { parts, fresh } = plan;
  const written = new Set(fresh.map(({ fingerprint }) => fingerprint));
  const known = partsOf({ channel, version, parts }).filter(([, part]) => !written.has(part));
  const operations = fresh.map(({ fingerprint, text }) => put(fingerprint, text));
  return { stored: { channel, version, parts }, rested: known, operations };
}

/** The values of one checkpoint, and what is written for them. */
export interface StoredValues {
  readonly stored: readonly StoredChannel[];
  /** The parts of them that must be there when they are written. */
  readonly rested: readonly PartName[];
  readonly operations: readonly WriteOperation[];
}

/**
 * Decides where the values of a checkpoint are kept. A value that did not change is not stored again, and a list that
 * grew only by what is new, unless nothing may rest on the checkpoint before.
 */
export async function storeValues(values: ValuesToStore): Promise<StoredValues> {
  const { checkpoint, changed, before, mayRest, takesUnknown } = values;
  const stored: StoredChannel[] = [];
  const rested: PartName[] = [];
  const operations: WriteOperation[] = [];
  for (const [channel, version] of Object.entries(checkpoint.channel_versions)) {
    if (!Object.hasOwn(checkpoint.channel_values, channel)) continue;
    const known = before.get(channel);
    const isSame = !changed.has(channel) && known?.version === version;
    if (isSame && mayRest) {
      stored.push(known);
      rested.push(...partsOf(known));
    } else if (isSame || changed.has(channel) || takesUnknown) {
      const value = await storeValue(values, channel, version);
      stored.push(value.stored);
      rested.push(...value.rested);
      operations.push(...value.operations);
    }
  }
  return { stored, rested, operations };
}
