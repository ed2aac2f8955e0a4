import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import {
  applyRange,
  classicContext,
  cutPointsOf,
  fitMessages,
  hashOfGiven,
  offloadTask,
  planBreakpoints,
  planRange,
} from '@ctx/truncation';
import { expect, test } from 'vitest';
import { prepareRequest } from '../prepare-request.ts';
import { createContextManager } from './create-context-manager.ts';

const countTokens = (text: string): number => text.length;
const model = { name: 'claude-sonnet-5', windowTokens: 100_000 };

/** What takes messages, each called as from a program without types. */
const takers: readonly (readonly [string, (messages: readonly Message[]) => unknown])[] = [
  [
    'manager.prepare',
    async (messages) => {
      const store = await openStore(memoryBackend());
      return createContextManager({ store, sessionId: 's', model }).prepare(messages);
    },
  ],
  ['prepareRequest', (messages) => prepareRequest(messages, { countTokens })],
  ['fitMessages', (messages) => fitMessages(messages, { budgetTokens: 100, tokensOf: () => 1 })],
  ['planRange', (messages) => planRange(messages, 'half')],
  ['applyRange', (messages) => applyRange(messages, undefined)],
  ['cutPointsOf', (messages) => cutPointsOf(messages)],
  ['hashOfGiven', (messages) => messages.map((message) => hashOfGiven(message))],
  ['offloadTask', (messages) => offloadTask(messages, () => '')],
  [
    'planBreakpoints',
    (messages) => planBreakpoints({ messages, tokensOf: () => 1, model: 'claude-sonnet-5' }),
  ],
  ['classicContext', (messages) => classicContext().request(messages, { timestamp: 0 })],
];

const others: readonly (readonly [string, unknown])[] = [
  ['texts', ['secret']],
  ['null', [null]],
  ['those of OpenAI', [{ role: 'user', content: 'secret' }]],
  [
    'results of Anthropic',
    [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'secret' }] }],
  ],
];

test.each(
  takers.flatMap(([name, take]) =>
    others.map(([kind, given]) => [name, kind, take, given] as const),
  ),
)('%s refuses %s with a code and what to do', async (_name, _kind, take, given) => {
  const taken = async () => await take(given as readonly Message[]); // None of these is one.
  const error = await taken().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'CTX_INVALID_INPUT' });
  expect(String(error)).toMatch(/messages\[0\].*convert it to/);
  expect(String(error)).not.toContain('secret');
});
