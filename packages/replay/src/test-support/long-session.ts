import { automaticCompaction } from '@ctx/agent-adapter';
import { type Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { replaySession } from '../replay.ts';
import type { ReplaySession } from '../replay-session.ts';
import { testPrice } from './test-context.ts';
import { ctxPolicies } from '../policies/ctx.ts';
import { none } from '../policies/none.ts';

const characters = (text: string): number => Math.ceil(text.length / 4);

export const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
});
export const call = (id: string, name: string, input: unknown): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
export const result = (toolUseId: string, text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }] }],
});

/** A session of many calls: each reads a file or runs a test, and now and then the user speaks. */
export function longSession(steps: number): ReplaySession {
  const messages = [user('Fix everything')];
  for (let index = 0; index < steps; index += 1) {
    const id = `c${String(index)}`;
    const lines = Array.from(
      { length: 60 },
      (_, line) => `${id} line ${String(line)} of some text`,
    );
    const isRead = index % 2 === 0;
    const path = `src/file${String(index)}.ts`;
    messages.push(
      isRead ? call(id, 'Read', { path }) : call(id, 'Bash', { command: `test ${id}` }),
    );
    messages.push(result(id, lines.join('\n')));
    if (index % 25 === 24) messages.push(user('go on'));
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });
  return { id: 'long', messages };
}

export async function replay(
  session: ReplaySession,
  windowTokens: number,
  policies = [none, ...ctxPolicies],
) {
  const store = await openStore(memoryBackend(), { tokenCounter: characters });
  return replaySession(session, {
    store,
    policies,
    price: testPrice,
    countTokens: characters,
    compactWindow: automaticCompaction,
    windowTokens,
  });
}
