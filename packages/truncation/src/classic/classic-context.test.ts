import { isCtxError, type Message, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import {
  alternating,
  assistant,
  call,
  frozen,
  result,
  text,
  user,
} from '../test-support/messages.ts';
import { classicContext } from './classic-context.ts';
import { duplicateReadNotice, truncationNotice } from './notices.ts';

const perCharacter = (value: string): number => value.length;
const sample = (requestId: string, inputTokens = 98_000) => ({ requestId, usage: { inputTokens } });
const file = 'const a = 1;\n'.repeat(50);

/** The same file is read twice. */
const rereading: Message[] = frozen([
  user('Fix the bug.'),
  assistant(call('r1', 'read_file', { path: 'a.ts' })),
  user(result('r1', file)),
  assistant(call('r2', 'read_file', { path: 'a.ts' })),
  user(result('r2', file)),
  assistant('Found it.'),
  user('Go on.'),
]);

const shown = (messages: readonly Message[]): string => JSON.stringify(messages);

describe('the classic context', () => {
  it('changes nothing as long as no report comes near the window', () => {
    const context = classicContext({ windowTokens: 128_000 });
    const request = context.request(rereading, { timestamp: 1, sample: sample('r', 97_999) });
    expect(request).toEqual({ messages: rereading, duplicates: [] });
    expect(context.request(rereading, { timestamp: 2 }).messages).toEqual(rereading);
  });

  it('replaces the older copy of a file first, and cuts nothing where that saves enough', () => {
    const context = classicContext({ windowTokens: 128_000, countTokens: perCharacter });
    const request = context.request(rereading, { timestamp: 1, sample: sample('r') });
    expect(request.duplicates).toMatchObject([{ messageIndex: 2, path: 'a.ts' }]);
    expect(request.saved?.savedShare).toBeGreaterThan(0.3);
    expect(request.range).toBeUndefined();
    expect(shown(request.messages)).toContain(duplicateReadNotice);
    expect(shown([request.messages[4] ?? user()])).toContain('const a = 1;');
    expect(validateMessages(request.messages)).toEqual([]);
  });

  it('cuts half where there is nothing to replace, says so in the view, and judges a report once', () => {
    const context = classicContext({ windowTokens: 128_000 });
    const messages = frozen(alternating(11));
    const first = context.request(messages, { timestamp: 1, sample: sample('r1') });
    expect(first.range).toEqual({ start: 2, end: 5 });
    expect(shown(first.messages)).toContain(truncationNotice);
    const again = context.request(messages, { timestamp: 2, sample: sample('r1') });
    expect(again).toEqual({ messages: first.messages, duplicates: [], range: first.range });
    const more = context.request(messages, { timestamp: 3, sample: sample('r2') });
    expect(more.range?.start).toBe(2);
    expect(more.range?.end).toBeGreaterThan(5);
  });

  it('shows edits of the caller, and goes back to any moment byte for byte', () => {
    const context = classicContext({ windowTokens: 128_000 });
    const messages = frozen(alternating(11));
    context.edit([{ messageIndex: 0, blockIndex: 0, block: text('short'), cause: 'mine' }], 5);
    const edited = context.request(messages, { timestamp: 6 }).messages;
    expect(edited[0]?.content).toEqual([text('short')]);
    context.request(messages, { timestamp: 7, sample: sample('r1') });
    context.rollBack({ timestamp: 6 });
    expect(context.request(messages, { timestamp: 8 }).messages).toEqual(edited);
    context.rollBack({ timestamp: 0 });
    expect(shown(context.request(messages, { timestamp: 9 }).messages)).toBe(shown(messages));
  });

  it('goes on from what it saved, and reports a text that is torn', () => {
    const options = { windowTokens: 128_000, countTokens: perCharacter };
    const context = classicContext(options);
    context.request(rereading, { timestamp: 1, sample: sample('r1') });
    context.request(rereading, { timestamp: 2, sample: sample('r2') });
    const saved = context.save();
    const moment = { timestamp: 3, sample: sample('r2') };
    const next = classicContext({ ...options, saved });
    expect(next.request(rereading, moment)).toEqual(context.request(rereading, moment));
    const torn = Array.from({ length: saved.length }, (_, end) => saved.slice(0, end));
    const isReported = (text: string): boolean => {
      try {
        classicContext({ saved: text });
        return false;
      } catch (error) {
        return isCtxError(error, 'CTX_STORE_CORRUPT');
      }
    };
    expect(torn.filter((text) => !isReported(text))).toEqual([]);
  });

  it('knows tools of the caller beside its own', () => {
    const messages = JSON.parse(
      JSON.stringify(rereading)
        .replaceAll('read_file', 'fetch_source')
        .replaceAll('"path"', '"source"'),
    ) as Message[];
    const paths = [{ form: 'field', field: 'source' }] as const;
    const fileTools = [{ names: ['fetch_source'], access: 'read', paths }] as const;
    const moment = { timestamp: 1, sample: sample('r') };
    expect(classicContext({ fileTools }).request(messages, moment).duplicates).toHaveLength(1);
    expect(classicContext().request(messages, moment).duplicates).toEqual([]);
    expect(classicContext({ fileTools }).request(rereading, moment).duplicates).toHaveLength(1);
  });
});
