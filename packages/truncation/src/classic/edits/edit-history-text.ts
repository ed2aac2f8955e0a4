import { type ContentBlock, CtxError } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import * as z from 'zod';
import type { EditHistory, TimedEdit } from './edit-history.ts';

/** What a stored history begins with: says whose text it is. */
const format = 'ctx-edit-history';
const version = 1;

/** A history as text, to be kept in a file or a record. Takes linear time. */
export function serialiseEdits(history: EditHistory): string {
  const edits = history.edits.map((edit) => encodeValue(edit));
  return JSON.stringify({ format, version, nextSequence: history.nextSequence, edits });
}

/**
 * Reads what `serialiseEdits` wrote.
 * Gives the same history back, or throws: the caller sets such a text aside and never writes over it.
 * @throws `CTX_STORE_CORRUPT` for a text that is torn, foreign or of a later version.
 */
export function parseEdits(text: string): EditHistory {
  const stored = storedSchema.safeParse(parseJson(text));
  if (!stored.success) throw corrupt(stored.error);
  const { edits, nextSequence } = stored.data;
  const known = z.array(editSchema).safeParse(edits.map((edit) => decodeValue(edit)));
  if (!known.success) throw corrupt(known.error);
  const isInOrder = known.data.every(({ sequence }, index) => {
    const next = known.data[index + 1]?.sequence ?? nextSequence;
    return sequence < next;
  });
  if (!isInOrder) throw corrupt(new Error('the sequence of the edits is out of order'));
  return { edits: known.data, nextSequence };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw corrupt(cause);
  }
}

function corrupt(cause: unknown): CtxError {
  return new CtxError('CTX_STORE_CORRUPT', 'this text is not a whole edit history', { cause });
}

const index: z.ZodType<number> = z.int().min(0);

const storedSchema = z.object({
  format: z.literal(format),
  version: z.literal(version),
  nextSequence: index,
  edits: z.array(z.unknown()),
});

const extra = z.record(z.string(), z.unknown()).exactOptional();
const textSchema = z.looseObject({ type: z.literal('text'), text: z.string(), extra });
const opaqueSchema = z.looseObject({
  type: z.literal('opaque'),
  format: z.string(),
  data: z.unknown(),
  extra,
});

const blockSchema: z.ZodType<ContentBlock> = z.discriminatedUnion('type', [
  textSchema,
  opaqueSchema,
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    extra,
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    toolUseId: z.string(),
    content: z.array(z.discriminatedUnion('type', [textSchema, opaqueSchema])),
    isError: z.boolean().exactOptional(),
    extra,
  }),
]);

const editSchema: z.ZodType<TimedEdit> = z.strictObject({
  messageIndex: index,
  blockIndex: index,
  block: blockSchema,
  cause: z.string(),
  timestamp: z.number(),
  sequence: index,
});
