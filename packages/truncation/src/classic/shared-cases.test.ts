import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock, Message, ResultBlock } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { alternating, textsOf } from '../test-support/messages.ts';
import { applyBlockEdits } from './edits/block-edit.ts';
import { planDuplicateReads } from './files/duplicate-reads.ts';
import { duplicateReadNotice } from './notices.ts';
import { applyRange } from './range/apply-range.ts';
import { deletedRange } from './range/deleted-range.ts';
import { planRange } from './range/plan-range.ts';
import { judgeUsage } from './should-compact.ts';
import type { ClassicStrategy } from './strategies.ts';

const folder =
  process.env['CTX_SHARED_CASES'] ??
  join(fileURLToPath(new URL('../../../..', import.meta.url)), '../shared/cases');
const file = join(folder, 'window.json');

const pair = z.tuple([z.number(), z.number()]);
const rawBlock = z.looseObject({ type: z.string() });
const rawMessage = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(rawBlock)]),
});
type RawMessage = z.infer<typeof rawMessage>;
/** By message and block: edits as time, kind, texts and what belongs to them. */
const edit = z.tuple([z.number(), z.literal('text'), z.tuple([z.string()]), z.unknown()]);
const blockEdits = z.tuple([z.number(), z.array(edit)]);
const history = z.array(z.tuple([z.number(), z.tuple([z.number(), z.array(blockEdits)])]));

function shownTexts(expected: z.infer<typeof history>): string[] {
  return expected.flatMap(([, [, blocks]]) =>
    blocks.flatMap(([, edits]) => edits.map(([, , [text]]) => text)),
  );
}

const named = { id: z.string(), test: z.string() };
const caseSchema = z.discriminatedUnion('fn', [
  z.object({
    ...named,
    fn: z.literal('truncationRange'),
    messages: z.number(),
    currentDeletedRange: pair.nullable(),
    keep: z.enum(['none', 'lastTwo', 'half', 'quarter']),
    expect: pair,
  }),
  z.object({
    ...named,
    fn: z.literal('applyRange'),
    messages: z.union([z.number(), z.array(rawMessage)]),
    range: pair.nullable(),
    expect: z.object({
      indices: z.array(z.number()).optional(),
      messages: z.array(rawMessage).optional(),
    }),
  }),
  z.object({
    ...named,
    fn: z.literal('findDuplicates'),
    messages: z.array(rawMessage),
    expect: z.object({ didUpdate: z.boolean(), updated: z.array(z.number()) }),
    expectHistory: history,
  }),
  z.object({
    ...named,
    fn: z.literal('shouldCompact'),
    contextWindow: z.number(),
    usage: z.object({
      tokensIn: z.number().optional(),
      tokensOut: z.number().optional(),
      cacheWrites: z.number().optional(),
      cacheReads: z.number().optional(),
    }),
    threshold: z.number().nullable(),
    index: z.number().optional(),
    providerId: z.string().optional(),
    expect: z.boolean(),
  }),
  // What a provider's overflow looks like is the window manager's part.
  z.object({ ...named, fn: z.literal('contextError') }),
]);
type Case = z.infer<typeof caseSchema>;

const cases: Case[] = existsSync(file)
  ? z.object({ cases: z.array(caseSchema) }).parse(JSON.parse(readFileSync(file, 'utf8'))).cases
  : [];

function casesOf<Name extends Case['fn']>(name: Name): Extract<Case, { fn: Name }>[] {
  return cases.filter((one): one is Extract<Case, { fn: Name }> => one.fn === name);
}

const textSchema = z.object({ type: z.literal('text'), text: z.string() });
const useSchema = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});
const resultSchema = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(textSchema)]),
});

function contentOf(content: string | readonly ResultBlock[]): ResultBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [...content];
}

function blockOf(raw: z.infer<typeof rawBlock>): ContentBlock {
  const parsed = z.union([textSchema, useSchema, resultSchema]).parse(raw);
  if (parsed.type !== 'tool_result') return parsed;
  const { tool_use_id: toolUseId, content } = parsed;
  return { type: 'tool_result', toolUseId, content: contentOf(content) };
}

function messageOf({ role, content }: RawMessage): Message {
  return { role, content: typeof content === 'string' ? contentOf(content) : content.map(blockOf) };
}

const rangeOf = (value: readonly [number, number] | null) =>
  value === null ? undefined : deletedRange(...value);
const strategyOf = (keep: string): ClassicStrategy =>
  keep === 'lastTwo' ? 'last-two' : z.enum(['none', 'half', 'quarter']).parse(keep);

/** Set CTX_SHARED_CASES to the folder of window.json to run these; without it there is nothing to compare with. */
describe.skipIf(cases.length === 0)('the shared cases', () => {
  it.each(casesOf('truncationRange'))('$id: $test', (one) => {
    const previous = rangeOf(one.currentDeletedRange);
    const range = planRange(alternating(one.messages), strategyOf(one.keep), previous);
    expect(range === undefined ? [2, 1] : [range.start, range.end]).toEqual(one.expect);
  });

  it.each(casesOf('applyRange'))('$id: $test', (one) => {
    const messages =
      typeof one.messages === 'number' ? alternating(one.messages) : one.messages.map(messageOf);
    const expected =
      one.expect.messages?.map(messageOf) ?? one.expect.indices?.map((index) => messages[index]);
    expect(applyRange(messages, rangeOf(one.range)).messages).toEqual(expected);
  });

  it.each(casesOf('findDuplicates'))('$id: $test', (one) => {
    const messages = one.messages.map(messageOf);
    // The cases replace contents that are shorter than any notice.
    const { edits } = planDuplicateReads(messages, { minSavedCharacters: -1000 });
    expect([...new Set(edits.map(({ messageIndex }) => messageIndex))]).toEqual(one.expect.updated);
    const after = textsOf(applyBlockEdits(messages, edits));
    const wanted = shownTexts(one.expectHistory);
    expect(wanted).toHaveLength(one.expect.updated.length);
    for (const value of wanted) {
      expect(after).toContain(value.replaceAll('{{DUP}}', duplicateReadNotice));
    }
  });

  it.each(casesOf('shouldCompact'))('$id: $test', (one) => {
    const usage = {
      inputTokens: one.usage.tokensIn ?? 0,
      outputTokens: one.usage.tokensOut ?? 0,
      cacheWriteTokens: one.usage.cacheWrites ?? 0,
      cacheReadTokens: one.usage.cacheReads ?? 0,
    };
    const sample = (one.index ?? 0) < 0 ? undefined : { requestId: 'r1', usage };
    const { compact } = judgeUsage(sample, undefined, {
      windowTokens: one.contextWindow,
      ...(one.threshold === null ? {} : { thresholdShare: one.threshold }),
      ...(one.providerId === undefined ? {} : { providerId: one.providerId }),
    });
    expect(compact).toBe(one.expect);
  });
});
