import type { Message } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import {
  applyRange,
  classicContext,
  fitMessages,
  openSessionWindow,
  openWindow,
  windowModes,
} from '@ctx/truncation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareParams } from './anthropic/prepare-params.ts';
import { createContextManager } from './context-manager/create-context-manager.ts';

/** What `npm test` looks at of what the campaigns do. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const words = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `w${text}`);

/** A turn: the user, a call with a nested input, its result, which may hold an image, and an answer. */
const turns = fc.array(
  fc.record({ ask: words, path: words, result: words, length: fc.nat(60), image: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

type Turns = readonly {
  ask: string;
  path: string;
  result: string;
  length: number;
  image: boolean;
}[];

function historyOf(given: Turns): Message[] {
  return given.flatMap(({ ask, path, result, length, image }, at): Message[] => {
    const id = `call-${String(at)}`;
    const source = { type: 'base64', data: 'AAAA' };
    const picture = { type: 'opaque', format: 'anthropic:image', data: { type: 'image', source } };
    const text = { type: 'text', text: `${result} `.repeat(1 + length * 10) };
    const input = { path, options: { deep: [{ at }] } };
    return [
      { role: 'user', content: [{ type: 'text', text: ask, extra: { fields: { at } } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: id, content: image ? [text, picture] : [text] },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: `answer ${String(at)}` }] },
    ] as Message[];
  });
}

/** Changes every object of an answer, at every depth, as far as it lets itself be changed. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    spoil(member);
    if (typeof member === 'string') Reflect.set(value, key, 'HACK');
  }
  if (Array.isArray(value)) value.reverse().push({ type: 'text', text: 'HACK' });
  else Reflect.set(value, 'cache_control', { type: 'ephemeral' });
}

const previewText = ({ text }: { text: string }): string => text.slice(0, 20);
const tokensOf = (message: Message): number => JSON.stringify(message).length / 4;
const price = { read: 0.1, write: 1.25, lifetimeMs: 1 };
const windowOptions = {
  ...{ policy: windowModes.default, windowTokens: 100_000, fixedTokens: 0, price },
  ...{ tokensOf, previewText, describeCall: () => undefined },
};

type Answers = (history: Message[], store: ContextStore) => unknown;

/** Makes something that is asked several times, each time with a history that the host made for it. */
const functions: Readonly<Record<string, () => Promise<Answers> | Answers>> = {
  prepare: async () => {
    const store = await openStore(memoryBackend(), { clock: () => 0 });
    const model = { name: 'm', windowTokens: 6000, price: 'anthropic-5m' };
    const policy = { ...windowModes.default, reserveTokens: 500 };
    const manager = createContextManager({
      store,
      sessionId: 's',
      model,
      policy,
      compaction: false,
    });
    return async (history) => {
      const { messages, receipt } = await manager.prepare(history);
      return { messages, flush: receipt.flush };
    };
  },
  'prepare without a store': async () => {
    const store = await openStore(memoryBackend());
    await store.close();
    const manager = createContextManager({ store, sessionId: 's' });
    return async (history) => (await manager.prepare(history)).messages;
  },
  prepareParams: async () => {
    const store = await openStore(memoryBackend(), { clock: () => 0 });
    const manager = createContextManager({ store, sessionId: 's' });
    return async (history) => {
      const messages = history.map(({ role, content: [block] }) =>
        block?.type === 'text'
          ? { role, content: [{ type: 'text', text: block.text }] }
          : { role, content: [{ type: 'text', text: JSON.stringify(block) }] },
      );
      const before = structuredClone(messages);
      const { params } = await prepareParams(manager, { model: 'm', max_tokens: 9, messages });
      const seen = structuredClone(params.messages);
      spoil(params.messages);
      expect(messages).toEqual(before);
      return seen;
    };
  },
  'a window': () => {
    const window = openWindow(windowOptions);
    let known = 0;
    return (history) => {
      for (const message of history.slice(known)) window.insert(message);
      known = history.length;
      const { messages } = window.request(0);
      return [messages, window.view(), window.planCompaction({ tailTokens: 10 })?.messages];
    };
  },
  'the window of a session': async () => {
    const window = await openSessionWindow({ ...windowOptions, sessionId: 's' });
    let known = 0;
    return async (history) => {
      await window.insert(history.slice(known));
      known = history.length;
      const { messages, sequence } = await window.request(0);
      const plan = window.planCompaction({ tailTokens: 10 })?.messages;
      return [messages, window.view(), plan, await window.viewAt(sequence)];
    };
  },
  classicContext: () => {
    const block = { type: 'text', text: 'shorter', extra: { fields: { a: 1 } } } as const;
    const edit = { messageIndex: 0, blockIndex: 0, block, cause: 'duplicate-read' };
    const edited = classicContext();
    edited.edit([edit], 0);
    return (history) => [
      edited.request(history, { timestamp: 1 }).messages,
      classicContext().request(history, { timestamp: 1 }).messages,
    ];
  },
  applyRange: () => (history) => [
    applyRange(history, undefined).messages,
    applyRange(history, { start: 2, end: 3 }, { notice: 'cut' }).messages,
  ],
  fitMessages: () => (history) => {
    const all = history.reduce((sum, each) => sum + tokensOf(each), 0);
    return [2 * all, all / 2].map(
      (budget) => fitMessages(history, { budgetTokens: Math.max(400, budget), tokensOf }).messages,
    );
  },
};

describe('what is handed out', () => {
  it.each(Object.keys(functions))(
    '%s: reaches neither the history that was given nor a later answer, whatever is done to it',
    async (name) => {
      const make = functions[name];
      if (make === undefined) throw new TypeError(`there is no function ${name}`);
      const store = await openStore(memoryBackend());
      await fc.assert(
        fc.asyncProperty(turns, async (given) => {
          const spoiled = await make();
          const clean = await make();
          const own = historyOf(given);
          for (let length = 1; length <= own.length; length += 1) {
            const history = own.slice(0, length);
            const answer = await spoiled(history, store);
            expect(answer).toEqual(await clean(historyOf(given).slice(0, length), store));
            spoil(answer);
            expect(own).toEqual(historyOf(given));
          }
        }),
        { numRuns: 15 * share },
      );
      await store.close();
    },
  );
});
