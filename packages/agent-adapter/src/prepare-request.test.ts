import type { Message } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';
import { createSegmentMeter } from '@ctx/truncation';
import { describe, expect, it } from 'vitest';
import { prepareRequest } from './prepare-request.ts';

const options = { countTokens: approximateTokens };
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call: Message = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }],
};

describe('prepareRequest', () => {
  it('gives a valid list back as it is', () => {
    const messages = [user('hi')];
    const request = prepareRequest(messages, options);
    expect(request.messages).toBe(messages);
    expect(request.repairs).toEqual([]);
  });

  it('mends, changes nothing it was given, and has nothing to do the second time', () => {
    const messages = Object.freeze([user('go'), Object.freeze(call)]);
    const request = prepareRequest(messages, options);
    expect(request.repairs.map(({ kind }) => kind)).toEqual(['missing-result-filled']);
    expect(request.messages).toHaveLength(3);
    expect(prepareRequest(request.messages, options).repairs).toEqual([]);
  });

  it.each([[[]], [[user('  ')]], [[{ role: 'user', content: [] } as const]]])(
    'refuses %j: nothing is left to send',
    (messages: readonly Message[]) => {
      expect(() => prepareRequest(messages, options)).toThrow('a request needs a message');
    },
  );

  it('says whether the request leaves room for the answer, the system prompt counted', () => {
    const meter = createSegmentMeter(approximateTokens);
    const { tokens } = prepareRequest([user('hi')], { ...options, meter });
    const fits = (windowTokens: number, system = '') =>
      prepareRequest([user('hi')], { ...options, system, windowTokens, reserveTokens: 10 }).fits;
    expect(fits(tokens + 10)).toBe(true);
    expect(fits(tokens + 9)).toBe(false);
    expect(fits(tokens + 10, 'You are careful.')).toBe(false);
    expect(prepareRequest([user('hi')], { ...options, windowTokens: tokens + 7999 }).fits).toBe(
      false,
    );
    expect(prepareRequest([user('hi')], options).fits).toBe(true);
  });
});
