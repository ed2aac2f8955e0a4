import { type ContentBlock, CtxError, type Message, type ToolResultBlock } from '@ctx/core';
import * as z from 'zod';
import type { Flush, SegmentRecord, WindowEvent } from '../window/window-event.ts';
import { editWhy, insertWhy } from '../window/explain.ts';
import type { EditForm, InsertForm, SegmentEdit } from '../window/segment.ts';
import type { CutRange, Epoch } from '../window/window-log.ts';

const place: z.ZodType<number> = z.int().min(0);
const tokens: z.ZodType<number> = z.number().min(0);
const extra = z.record(z.string(), z.unknown()).exactOptional();

const textSchema = z.looseObject({ type: z.literal('text'), text: z.string(), extra });
const opaqueSchema = z.looseObject({
  type: z.literal('opaque'),
  format: z.string(),
  data: z.unknown(),
  extra,
});
const resultSchema: z.ZodType<ToolResultBlock> = z.looseObject({
  type: z.literal('tool_result'),
  toolUseId: z.string(),
  content: z.array(z.discriminatedUnion('type', [textSchema, opaqueSchema])),
  isError: z.boolean().exactOptional(),
  extra,
});
const callSchema = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  extra,
});
const blockSchema: z.ZodType<ContentBlock> = z.union([
  textSchema,
  resultSchema,
  callSchema,
  opaqueSchema,
]);
const messageSchema: z.ZodType<Message> = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.array(blockSchema),
  extra,
});

/** The forms are those that can be explained. */
const editForm = z.custom<EditForm>(
  (value) => typeof value === 'string' && Object.hasOwn(editWhy, value),
);
const insertForm = z.custom<Exclude<InsertForm, 'whole'>>(
  (value) => typeof value === 'string' && value !== 'whole' && Object.hasOwn(insertWhy, value),
);

const recordSchema: z.ZodType<SegmentRecord> = z.strictObject({
  givenTokens: tokens,
  print: z.string().exactOptional(),
  form: insertForm.exactOptional(),
  block: resultSchema.exactOptional(),
  tokens: tokens.exactOptional(),
});

const editSchema: z.ZodType<SegmentEdit> = z.strictObject({
  segment: place,
  form: editForm,
  block: blockSchema.exactOptional(),
  tokens,
});

const cutSchema: z.ZodType<CutRange> = z.strictObject({
  from: place,
  to: place,
  dropsEpoch: z.boolean().exactOptional(),
});

const flushSchema: z.ZodType<Flush> = z.strictObject({
  cause: z.enum(['hard', 'free', 'economic']),
  edits: z.array(editSchema),
  pairs: z.array(place),
  cut: cutSchema.exactOptional(),
  beforeTokens: tokens,
  afterTokens: tokens,
  penalty: z.number(),
});

const epochSchema: z.ZodType<Epoch> = z.strictObject({
  from: place,
  to: place,
  message: messageSchema,
  tokens,
  carried: z.array(z.string()),
  ledger: z.array(z.string()),
});

const partsSchema = z.strictObject({
  model: z.string().exactOptional(),
  tools: z.string().exactOptional(),
  system: z.string().exactOptional(),
});

/** A factor that a log may bring; what lies outside is no factor of ours. */
const factor = z.number().min(0.1).max(10);

/** `Infinity` where nothing changed. */
const firstSegment = z.union([place, z.literal(Infinity)]);

const records = z.array(recordSchema).exactOptional();

/** Checks what comes from a store: it may be of another program, or torn. */
const eventSchema: z.ZodType<WindowEvent> = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('received'),
    message: messageSchema,
    pointers: z.record(z.string(), z.string()),
    segments: records,
  }),
  z.strictObject({ type: z.literal('settled'), segments: records }),
  z.strictObject({
    type: z.literal('requested'),
    at: z.number(),
    regret: z.number(),
    compactionRegret: z.number().exactOptional(),
    parts: partsSchema.exactOptional(),
    flush: flushSchema.exactOptional(),
  }),
  z.strictObject({
    type: z.literal('resized'),
    windowTokens: z.number().positive(),
    fixedTokens: tokens,
    isCold: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('compacted'),
    epoch: epochSchema,
    beforeTokens: tokens,
    afterTokens: tokens,
  }),
  z.strictObject({
    type: z.literal('observed'),
    inputTokens: tokens,
    cachedTokens: tokens.exactOptional(),
    factor,
  }),
  z.strictObject({
    type: z.literal('cache-miss'),
    cause: z.enum(['model', 'system', 'tools', 'messages', 'lifetime', 'minimum']),
    segment: place.exactOptional(),
    sentTokens: tokens,
    predictedTokens: tokens,
    reportedTokens: tokens,
  }),
  z.strictObject({
    type: z.literal('overflowed'),
    factor,
    windowTokens: z.number().positive(),
    failures: place,
  }),
  z.strictObject({
    type: z.literal('failed'),
    what: z.enum(['request', 'compaction']),
    failures: place,
  }),
  z.strictObject({ type: z.literal('reset') }),
  z.strictObject({
    type: z.literal('rewound'),
    to: place,
    isCold: z.boolean(),
    changedFrom: firstSegment,
    lastRequestAt: z.number().exactOptional(),
    windowTokens: z.number().positive(),
    toldWindowTokens: z.number().positive(),
    fixedTokens: tokens,
    factor,
  }),
  z.strictObject({ type: z.literal('checkpoint'), name: z.string(), at: z.number() }),
  z.strictObject({
    type: z.literal('forked'),
    sessionId: z.string(),
    to: place,
    at: z.number(),
  }),
]);

/** Checks without copying: a copy would lose members named `__proto__`. */
function isWindowEvent(value: unknown): value is WindowEvent {
  return eventSchema.safeParse(value).success;
}

/** Takes what a store gave. Throws: `CTX_STORE_CORRUPT` naming `where` it stood. */
export function checkedEvent(value: unknown, where: string): WindowEvent {
  if (isWindowEvent(value)) return value;
  throw new CtxError('CTX_STORE_CORRUPT', `${where} is no event of a window`);
}
