import type { ContentBlock, Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSessionWindow, windowModes } from '@ctx/truncation';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCallNumbers, nextCallId } from './number-calls.ts';

const id = fc.constantFrom('a', 'b', 'a_2', 'a_2_2');
const ids = fc.array(id, { minLength: 1, maxLength: 3 });

const call = (name: string): ContentBlock => ({ type: 'tool_use', id: name, name: 'x', input: {} });
const result = (name: string): ContentBlock => ({
  type: 'tool_result',
  toolUseId: name,
  content: [{ type: 'text', text: 'done' }],
});

/** Calls, of which some are answered before the next are made. */
const turn = fc.record({ calls: ids, answered: fc.nat(3) });

function messagesOf(turns: readonly { calls: readonly string[]; answered: number }[]): Message[] {
  return turns.flatMap(({ calls, answered }): Message[] => {
    const results = calls.slice(0, answered).map(result);
    const asked: Message = { role: 'assistant', content: calls.map(call) };
    return results.length === 0 ? [asked] : [asked, { role: 'user', content: results }];
  });
}

const idsIn = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
  );

it('calls have the ids that the window has for them, whatever ids clients use again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 6 }), async (turns) => {
      const store = await openStore(memoryBackend());
      const window = await openSessionWindow({
        store,
        sessionId: 's',
        policy: windowModes.default,
      });
      const messages = messagesOf(turns);
      await window.insert(messages);
      const number = createCallNumbers();
      const numbered = messages.map((message) => number(message));
      const calls = numbered.filter((_, index) => messages[index]?.role === 'assistant').flat();
      const results = numbered.filter((_, index) => messages[index]?.role === 'user').flat();
      expect(calls).toEqual(idsIn(window.view()));
      const shown = window.view().flatMap(({ content }) => content);
      const returned = shown.flatMap((block) =>
        block.type === 'tool_result' && block.isError !== true ? [block.toolUseId] : [],
      );
      expect(results).toEqual(returned);
      const next = call('a');
      const idOf = nextCallId(messages);
      const told = [idOf('a'), idOf('a')];
      await window.insert([{ role: 'assistant', content: [next, next] }]);
      expect(idsIn(window.view()).slice(-2)).toEqual(told);
      await window.close();
    }),
  );
});
