import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepare } from './prepare.ts';
import { createSessionWindows } from './session-windows.ts';

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

describe('a long conversation that is handed in at once', () => {
  it('is taken in parts, between which the loop serves others', async () => {
    let turn = 0;
    const counted: number[] = [];
    const store = await openStore(memoryBackend(), {
      tokenCounter: (text) => {
        counted[turn] = (counted[turn] ?? 0) + text.length;
        return text.length;
      },
    });
    const windows = createSessionWindows();
    const messages = Array.from({ length: 40 }, (_, place) =>
      say(`${String(place)} ${'w'.repeat(20_000)}`),
    );
    let isOver = false;
    const nextTurn = (): void => {
      turn += 1;
      if (!isOver) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    const input = { store, sessionId: 's', messages, from: 0, windowTokens: 2_000_000 };
    const { added, total, request } = await prepare(windows, input);
    isOver = true;
    expect({ added, total }).toEqual({ added: 40, total: 40 });
    expect(request.messages).toEqual(messages);
    const most = Math.max(...counted.filter((length) => length > 0));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(65_536);
    await windows.close();
  });
});

describe('the end of a conversation', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });

  it('is never taken where its sender counted one place too many, as with a system prompt', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.nat(), async (had, more, place) => {
        const store = await openStore(memoryBackend());
        const windows = createSessionWindows();
        const send = (all: readonly string[], from: number) => {
          const messages = all.map(say);
          return prepare(windows, { store, sessionId: 's', messages, from, windowTokens: 200_000 });
        };
        await send(had, 0);
        const begin = place % had.length;
        const end = [...had, ...more].slice(begin);
        await expect(send(end, begin + 1)).rejects.toMatchObject({ problem: { status: 409 } });
        const { added, total } = await send([...had, ...more], 0);
        expect({ added, total }).toEqual({ added: more.length, total: had.length + more.length });
        await windows.close();
      }),
    );
  });
});
