import { type ContentBlock, CtxError, type Message } from '@ctx/core';
import * as z from 'zod';
import { editWhy, insertWhy } from '../../window/explain.ts';
import type { FixedParts } from '../../window/fixed-parts.ts';
import type { EditForm, SegmentEdit } from '../../window/log/segment.ts';
import type { CutRange, Epoch } from '../../window/log/window-log.ts';
import type { Flush, SegmentRecord, WindowEvent } from '../../window/window-event.ts';
import { hasMembers, isBlock, isMessage, isResult } from './is-message.ts';

const place: z.ZodType<number> = z.int().min(0);
const tokens: z.ZodType<number> = z.number().min(0);
const blockSchema = z.custom<ContentBlock>(isBlock);
const messageSchema = z.custom<Message>(isMessage);

/** The forms are those that can be explained. */
function isFormOf(names: object, value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(names, value);
}

const editForm = z.custom<EditForm>((value) => isFormOf(editWhy, value));

function isTokens(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

function isPlace(value: unknown): boolean {
  return Number.isInteger(value) && isTokens(value);
}

/** What became of a block that did not stay whole. */
function isChange({ form, block, tokens: shown }: Readonly<Record<string, unknown>>): boolean {
  const hasBlock = form === 'thin' ? block === undefined : isResult(block);
  return form !== 'whole' && isFormOf(insertWhy, form) && hasBlock && isTokens(shown);
}

function isRecordOfSegment(value: unknown): value is SegmentRecord {
  if (!hasMembers(value) || !isTokens(value['givenTokens'])) return false;
  const { print, form, block, tokens: shown, restsOn, found } = value;
  if ([print, found].some((text) => text !== undefined && typeof text !== 'string')) return false;
  if (restsOn !== undefined && !isPlace(restsOn)) return false;
  const isWhole = form === undefined && block === undefined && shown === undefined;
  return isWhole || isChange(value);
}

function areRecords(value: unknown): value is readonly SegmentRecord[] {
  return Array.isArray(value) && value.every(isRecordOfSegment);
}

function arePointers(value: unknown): value is Readonly<Record<string, string>> {
  return hasMembers(value) && Object.values(value).every((each) => typeof each === 'string');
}

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
  needed: z.array(z.strictObject({ pair: place, text: z.string(), tokens })).exactOptional(),
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

const fixedSchema: z.ZodType<FixedParts> = z.strictObject({
  system: tokens,
  tools: z.array(z.strictObject({ name: z.string(), tokens })),
  unnamed: z.strictObject({ tools: place, tokens }).exactOptional(),
});

const records = z.custom<readonly SegmentRecord[]>(areRecords).exactOptional();

/** Checks what comes from a store: it may be of another program, or torn. */
const eventSchema: z.ZodType<WindowEvent> = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('received'),
    message: messageSchema,
    pointers: z.custom<Readonly<Record<string, string>>>(arePointers),
    segments: records,
    key: z.string().exactOptional(),
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
    fixed: fixedSchema.exactOptional(),
    answerTokens: tokens.exactOptional(),
    isCold: z.boolean(),
    sent: z.strictObject({ at: z.number(), parts: partsSchema }).exactOptional(),
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
    hourTokens: tokens.exactOptional(),
    outputTokens: tokens.exactOptional(),
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
    answerTokens: tokens.exactOptional(),
    fixedTokens: tokens,
    fixed: fixedSchema.exactOptional(),
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

/**
 * Takes what a store gave.
 * @throws `CTX_STORE_CORRUPT` naming `where` it stood.
 */
export function checkedEvent(value: unknown, where: string): WindowEvent {
  if (isWindowEvent(value)) return value;
  throw new CtxError('CTX_STORE_CORRUPT', `${where} is no window event`);
}
