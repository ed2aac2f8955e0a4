import { CtxError } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import type { StoredRecord } from '@ctx/store/backend';
import * as z from 'zod';
import type { DumpedValue } from './dumped-value.ts';
import type { VersionShape } from './host-types.ts';
import type { ListPart } from './value-parts.ts';

/** Where the value of a channel is kept: as a whole, or a list in parts. */
export interface StoredChannel {
  readonly channel: string;
  readonly version: VersionShape;
  /** Fingerprint of the whole value. */
  readonly whole?: string;
  readonly parts?: readonly ListPart[];
}

/** What the record of a checkpoint says. */
export interface CheckpointBody {
  /** The checkpoint without its values. */
  readonly checkpoint: DumpedValue;
  readonly metadata: DumpedValue;
  readonly values: readonly StoredChannel[];
  /** Version of the checkpoint's form. */
  readonly form: number;
  /** Channels whose value is made from the writes of checkpoints before. */
  readonly deltas: readonly string[];
}

const dumpedSchema: z.ZodType<DumpedValue> = z.strictObject({
  type: z.string(),
  content: z.union([z.string(), z.instanceof(Uint8Array)]),
});

const partSchema = z
  .tuple([z.string(), z.int().min(0), z.int().min(0)])
  .transform(([fingerprint, count, length]): ListPart => ({ fingerprint, count, length }));

const channelSchema: z.ZodType<StoredChannel> = z.strictObject({
  channel: z.string(),
  version: z.union([z.string(), z.number()]),
  whole: z.string().exactOptional(),
  parts: z.array(partSchema).exactOptional(),
});

const bodySchema: z.ZodType<CheckpointBody> = z.strictObject({
  checkpoint: dumpedSchema,
  metadata: dumpedSchema,
  values: z.array(channelSchema),
  form: z.number(),
  deltas: z.array(z.string()),
});

/** The body of a checkpoint's record. */
export function writeCheckpointBody(body: CheckpointBody): string {
  const values = body.values.map(({ parts, ...rest }) => ({
    ...rest,
    ...(parts === undefined
      ? {}
      : { parts: parts.map(({ fingerprint, count, length }) => [fingerprint, count, length]) }),
  }));
  return JSON.stringify(encodeValue({ ...body, values }));
}

function corrupt(record: StoredRecord, cause: unknown): CtxError {
  const name = record.key.join(' / ');
  return new CtxError('CTX_STORE_CORRUPT', `checkpoint ${name} cannot be read`, { cause });
}

/** @throws `CTX_STORE_CORRUPT`. */
export function readCheckpointBody(record: StoredRecord): CheckpointBody {
  try {
    return bodySchema.parse(decodeValue(JSON.parse(record.body)));
  } catch (cause) {
    throw corrupt(record, cause);
  }
}

/** The body of a record that holds one dumped value. */
export function writeDumped(dumped: DumpedValue): string {
  return JSON.stringify(encodeValue(dumped));
}

/** @throws `CTX_STORE_CORRUPT`. */
export function readDumped(record: StoredRecord): DumpedValue {
  try {
    return dumpedSchema.parse(decodeValue(JSON.parse(record.body)));
  } catch (cause) {
    throw corrupt(record, cause);
  }
}
