import type { Message } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { expect, it } from 'vitest';
import { redactMessage } from './redact-message.ts';

const redactor = createRedactor();
const secret = `sk-ant-api03-${'aB3dE5gH7'.repeat(10)}`;
const plain: Message = {
  role: 'user',
  content: [
    { type: 'text', text: 'Deploy it.' },
    { type: 'tool_result', toolUseId: 'a', content: [{ type: 'text', text: 'ok' }] },
  ],
};

it('a message without secrets is the same object, so that it goes out as the client wrote it', () => {
  expect(redactMessage(redactor, plain)).toBe(plain);
});

it('a secret is taken out of its block, and every other block is the same object', () => {
  const block = { type: 'text', text: `The key is ${secret}.` } as const;
  const [first, last] = plain.content;
  if (first === undefined || last === undefined) throw new Error('no blocks');
  const message: Message = { role: 'user', content: [first, block, last] };
  const redacted = redactMessage(redactor, message);
  expect(JSON.stringify(redacted)).not.toContain('sk-ant');
  expect(redacted).toMatchObject({ role: 'user', content: [first, { type: 'text' }, last] });
  expect(redacted.content[0]).toBe(first);
  expect(redacted.content[2]).toBe(last);
  expect(message.content[1]).toBe(block);
});

it('beside a secret, what is nested too deep to be looked through before is the same object', () => {
  const input = Array.from({ length: 200 }).reduce<unknown>((inner) => ({ inner }), 'a.ts');
  const call = { type: 'tool_use', id: 'a', name: 'Read', input } as const;
  const message: Message = { role: 'assistant', content: [call, { type: 'text', text: secret }] };
  expect(redactMessage(redactor, message).content[0]).toBe(call);
});

it('secrets in results and in the input of calls are taken out', () => {
  const message: Message = {
    role: 'assistant',
    content: [
      {
        type: 'tool_use',
        id: 'a',
        name: 'Bash',
        input: { command: `curl -H 'x-api-key: ${secret}'` },
      },
      { type: 'tool_result', toolUseId: 'a', content: [{ type: 'text', text: secret }] },
    ],
  };
  const redacted = redactMessage(redactor, message);
  expect(JSON.stringify(redacted)).not.toContain('sk-ant');
  expect(redacted.content.map(({ type }) => type)).toEqual(['tool_use', 'tool_result']);
});

it('a store that keeps secrets, or only counts them, gets the message as it is', () => {
  const message: Message = { role: 'user', content: [{ type: 'text', text: secret }] };
  for (const mode of ['off', 'report'] as const) {
    expect(redactMessage(createRedactor({ mode }), message)).toBe(message);
  }
});
