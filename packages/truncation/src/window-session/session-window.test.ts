import { isCtxError, type Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  result,
  textOf,
  tokensOf,
  user,
} from '../window/test-support/test-window.ts';
import { windowModes } from '../window/window-policy.ts';
import { originsOf } from './log/fork-session.ts';
import { openSessionWindow } from './open-session-window.ts';
import { sessionLog } from './session-log.ts';
import type { SessionWindow } from './session-window.ts';
import { firstSizes, testPlace, testSession } from './test-support/test-session.ts';
import { messageRangesOf, readAddress, readMessages } from './view/read-messages.ts';
import { readRequests } from './view/read-requests.ts';
import { readView } from './view/read-view.ts';

/** A call and its result. */
function pair(id: string, text: string, tool = 'Grep'): Message[] {
  return [call(id, tool, { path: `${id}.ts` }), result(id, text)];
}

async function work(window: SessionWindow, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const id = `p${String(index)}`;
    await window.insert([...pair(id, textOf(150, id)), assistant(`step ${id}`)]);
    await window.request(1000 * index);
  }
}

const shown = (window: SessionWindow): string => JSON.stringify(window.view());

async function eventTypes(window: SessionWindow): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of window.store.events.read(window.sessionId)) types.push(type);
  return types;
}

/** A store that writes a moment later, and how many operations each write of the log has. */
function countingBackend(): { readonly backend: StoreBackend; readonly writes: number[] } {
  const writes: number[] = [];
  const inner = memoryBackend();
  const backend: StoreBackend = {
    ...inner,
    write: async (operations, options) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (operations.some((operation) => operation.collection === 'events')) {
        writes.push(operations.length);
      }
      return inner.write(operations, options);
    },
  };
  return { backend, writes };
}

describe('the parts of what every request carries', () => {
  const fixed = { system: 30, tools: 20, definitions: [{ name: 'Grep' }] };
  const told = { system: 30, tools: [{ name: 'Grep', tokens: 20 }] };

  it('stand in the log beside their sum, also after a rewind and in another process', async () => {
    const { store, reopen } = await testPlace();
    const window = await openSessionWindow({ store, sessionId: 's', ...firstSizes });
    const [first = 0] = await window.insert([user('task')]);
    await window.resize({ fixedTokens: 50, fixed });
    await window.rewind(first);
    expect((await sessionLog(store, 's').view()).fixed).toEqual(told);
    await window.close();
    const other = await reopen();
    expect((await sessionLog(other, 's').view()).fixed).toEqual(told);
  });

  it('are missing where only the sum was told', async () => {
    const { store } = await testPlace();
    const window = await openSessionWindow({ store, sessionId: 's', ...firstSizes });
    await window.resize({ fixedTokens: 50, fixed });
    await window.resize({ fixedTokens: 70 });
    const view = await sessionLog(store, 's').view();
    expect([view.fixedTokens, 'fixed' in view]).toEqual([70, false]);
  });
});

describe('the window of a session', () => {
  it('needs nothing but a session: it keeps its log in memory', async () => {
    const window = await openSessionWindow({ sessionId: 's' });
    await window.insert([user('task'), ...pair('a', 'found it')]);
    const { messages, sequence } = await window.request();
    expect(messages).toHaveLength(3);
    expect(sequence).toBe(window.next - 1);
    expect(await eventTypes(window)).toEqual([
      'window-resized',
      'window-received',
      'window-received',
      'window-received',
      'window-requested',
    ]);
    await window.close();
    await window.close();
  });

  it('explains what every segment was at an earlier request', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, firstSizes);
    await window.insert(user('task'));
    const seen: string[] = [];
    for (let index = 0; index < 40; index += 1) {
      await work(window, index, index + 1);
      seen.push(JSON.stringify(window.explain()));
    }
    const requests = await readRequests(store, window.sessionId);
    const again = await testSession(store, { sessionId: window.sessionId });
    const views = await Promise.all(
      requests.map((sequence) => readView(store, window.sessionId, sequence)),
    );
    const told = views.map(({ segments }) =>
      segments.map(({ kind: _kind, toolName: _tool, block: _block, ...reason }) => reason),
    );
    expect(told.map((reasons) => JSON.stringify(reasons))).toEqual(seen);
    expect(new Set(told.at(-1)?.map(({ form }) => form)).size).toBeGreaterThan(1);
    await again.rewind(requests[3] ?? 0);
    expect(await readRequests(store, window.sessionId)).toEqual(requests.slice(0, 4));
  });

  it('keeps small results in its log where the store keeps them in memory only', async () => {
    const place = createMemoryPlace();
    const outputs = { persist: 'large-only' } as const;
    const open = () => openStore(memoryBackend({ place }), { outputs });
    const store = await open();
    const window = await testSession(store, firstSizes);
    await window.insert([user('task'), ...pair('large', textOf(12_000), 'Bash')]);
    await work(window, 0, 30);
    const before = shown(window);
    const reasons = window.explain();
    await window.close();
    await store.close();
    const reopened = await open();
    const again = await testSession(reopened);
    expect(shown(again)).toBe(before);
    expect(JSON.stringify(again.view())).not.toContain('deleted from the store');
    expect(again.explain()).toEqual(reasons);
    expect(await again.viewAt(again.next - 1)).toEqual(window.view());
    const left = reasons.find(
      ({ form, pointer }) => form === 'ledger' && pointer.startsWith('ctx://messages/'),
    );
    const read = await readAddress(reopened, again.sessionId, left?.pointer ?? '');
    expect(JSON.stringify(read)).toContain(textOf(150, 'p0').split('\n')[3]);
    const large = reasons.find(({ pointer }) => pointer.startsWith('ctx://outputs/'));
    const id = large?.pointer.replace('ctx://outputs/', '') ?? '';
    expect((await reopened.outputs.load({ id }))?.result).toBe(textOf(12_000));
  });

  it('stores the text of a result once: in the outputs, not in the log', async () => {
    const { store } = await testPlace();
    const window = await testSession(store);
    const text = textOf(800, 'unique');
    await window.insert([user('task'), ...pair('a', text)]);
    const [pointer] = (await store.outputs.pointers({ sessionId: 's' })).entries;
    expect((await store.outputs.load({ id: pointer?.id ?? '' }))?.result).toBe(text);
    for await (const event of store.events.read('s')) {
      expect(JSON.stringify(event)).not.toContain('text, 700');
    }
    const [, , message] = await readMessages(store, 's', { from: 0, to: 5 });
    expect(message?.message).toEqual(result('a', text));
  });

  it('gives back images and mixed results byte for byte, too', async () => {
    const { store, reopen } = await testPlace();
    const window = await testSession(store, { windowTokens: 100_000 });
    const mixed: Message = {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          toolUseId: 'a',
          content: [
            {
              type: 'opaque',
              format: 'anthropic:image',
              data: { b: 'A'.repeat(500), a: [1, null] },
            },
            { type: 'text', text: 'small' },
            { type: 'text', text: textOf(100), extra: { fields: { k: 1 } } },
          ],
          isError: false,
          extra: { format: 'x' },
        },
      ],
    };
    await window.insert([user('task'), call('a', 'Shot', {}), mixed]);
    const again = await testSession(await reopen());
    expect(shown(again)).toBe(shown(window));
    expect(again.view()[2]).toEqual(mixed);
    expect(JSON.stringify((await readMessages(store, 's', { from: 2, to: 2 }))[0]?.message)).toBe(
      JSON.stringify(mixed),
    );
  });

  it('shows what was redacted as it was redacted, from the first request on', async () => {
    const { createRedactor } = await import('@ctx/redact');
    const redactor = createRedactor({ mode: 'on' });
    const store = await openStore(memoryBackend(), { redactor });
    const window = await testSession(store);
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await window.insert([user('task'), ...pair('a', `token ${secret} ${'word '.repeat(100)}`)]);
    expect(shown(window)).not.toContain(secret);
    for await (const event of store.events.read('s')) {
      expect(JSON.stringify(event)).not.toContain(secret);
    }
  });

  it('tells the second of two processes that the first went on, and loses nothing', async () => {
    const { store, reopen } = await testPlace();
    const first = await testSession(store, firstSizes);
    await first.insert(user('task'));
    const second = await testSession(await reopen());
    await first.insert(assistant('from the first'));
    await expect(second.insert(assistant('from the second'))).rejects.toMatchObject({
      code: 'CTX_STORE_CONFLICT',
      message: expect.stringContaining('open it again') as string,
    });
    await expect(second.request(0)).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    await first.insert(user('still there'));
    const third = await testSession(await reopen());
    expect(shown(third)).toBe(shown(first));
    await third.insert(assistant('from the second'));
    expect(third.view()).toHaveLength(4);
  });

  it('gives the messages that another process took as the log gives them', async () => {
    const { store, reopen } = await testPlace();
    const first = await testSession(store, firstSizes);
    await first.insert(user('task'), { keys: ['a'] });
    const second = await testSession(await reopen());
    const known = await sessionLog(store, 's').history();
    await first.insert([assistant('one'), user('two')], { keys: ['b', 'c'] });
    await first.request(0);
    const followed = await second.follow();
    expect(followed).toHaveLength(2);
    await first.insert(assistant('three'), { keys: ['d'] });
    const again = await second.follow();
    const whole = await sessionLog(store, 's').history();
    expect([...known, ...(followed ?? []), ...(again ?? [])]).toEqual(whole);
    expect(shown(second)).toBe(shown(first));
  });

  it('takes nothing where another process went back, so that it is opened again', async () => {
    const { store, reopen } = await testPlace();
    const first = await testSession(store, firstSizes);
    await first.insert(user('task'));
    const [event = 0] = await first.insert(assistant('first way'));
    const second = await testSession(await reopen());
    const before = shown(second);
    await first.rewind(event - 1);
    await first.insert(assistant('second way'));
    expect(await second.follow()).toBeUndefined();
    expect(shown(second)).toBe(before);
    await expect(second.insert(user('on'))).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    expect(shown(await testSession(await reopen()))).toBe(shown(first));
  });

  it('puts what belongs together into one write, also where a call fails', async () => {
    const { backend, writes } = countingBackend();
    const store = await openStore(backend);
    const window = await testSession(store);
    const before = writes.length;
    const request = await window.inOneWrite(async () => {
      await window.insert([user('task'), assistant('step')]);
      await window.resize({ fixedTokens: 50 });
      return window.request(1000);
    });
    expect(writes.length - before).toBe(1);
    expect((await eventTypes(window)).slice(-4)).toEqual(
      ['received', 'received', 'resized', 'requested'].map((type) => `window-${type}`),
    );
    expect(request.sequence).toBe(window.next - 1);
    const failing = window.inOneWrite(async () => {
      await window.insert(user('more'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await sessionLog(store, window.sessionId).history()).length).toBe(3);
  });

  it('writes what is handed in at once in few batches, in order', async () => {
    const { backend, writes } = countingBackend();
    const window = await testSession(await openStore(backend));
    const all = Array.from({ length: 50 }, (_, index) => window.insert(user(String(index))));
    await Promise.all(all);
    expect(writes.length).toBeLessThan(10);
    expect(window.view().map(({ content }) => content[0])).toEqual(
      Array.from({ length: 50 }, (_, index) => ({ type: 'text', text: String(index) })),
    );
  });

  it('is whole after a crash at any write: what was acknowledged is there, and nothing by halves', async () => {
    const { place } = await testPlace();
    for (let crashAt = 0; crashAt < 14; crashAt += 1) {
      const sessionId = `crash ${String(crashAt)}`;
      let left = crashAt;
      const inner = memoryBackend({ place });
      const dying: StoreBackend = {
        ...inner,
        write: async (operations, options) => {
          left -= 1;
          if (left < 0) throw new Error('the process died');
          return inner.write(operations, options);
        },
      };
      const acknowledged: Message[] = [];
      try {
        const window = await testSession(await openStore(dying), { sessionId });
        for (const message of [user('task'), ...pair('a', textOf(100)), assistant('done')]) {
          await window.insert(message);
          acknowledged.push(message);
          if (message.role === 'user') await window.request(0);
        }
      } catch (error) {
        expect(isCtxError(error, 'CTX_STORE_IO')).toBe(true);
      }
      const store = await openStore(memoryBackend({ place }));
      const again = await testSession(store, { sessionId });
      const whole = [user('task'), ...pair('a', textOf(100)), assistant('done')];
      const { messages } = await again.request(1);
      const kept = messages.filter((message) => !JSON.stringify(message).includes('No result'));
      expect(kept.length).toBeGreaterThanOrEqual(acknowledged.length);
      expect(kept).toEqual(whole.slice(0, kept.length));
    }
  });

  it('leaves alone what another program wrote into the log', async () => {
    const { store, reopen } = await testPlace();
    await store.events.append('s', [{ type: 'note', payload: 'mine' }]);
    const window = await testSession(store, firstSizes);
    await window.insert(user('task'));
    await window.close();
    await store.events.append('s', [{ type: 'note', payload: 'mine, too' }]);
    const again = await testSession(await reopen());
    await again.insert(assistant('yes'));
    expect(again.view()).toHaveLength(2);
    expect(await eventTypes(again)).toEqual([
      'note',
      'window-resized',
      'window-received',
      'note',
      'window-received',
    ]);
  });

  it.each([
    ['no event', 'hello'],
    ['a type that it does not know', { event: { type: 'window' } }],
    [
      'a size below 0',
      { event: { type: 'resized', windowTokens: -1, fixedTokens: 0, isCold: false } },
    ],
    [
      'a result that is not there',
      {
        event: { type: 'received', message: user('x'), pointers: {} },
        outside: [{ block: 0, part: 0, output: 'o' }],
      },
    ],
    ['a factor out of bounds', { event: { type: 'observed', inputTokens: 1, factor: 1e9 } }],
  ])('refuses a log that holds %s', async (_, payload) => {
    const { store } = await testPlace();
    await store.events.append('s', [{ type: 'window-received', payload }]);
    await expect(testSession(store)).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
  });

  it('is opened with its results read eight at a time, each once, as they were', async () => {
    const { place, store } = await testPlace();
    const before = await testSession(store, { ...firstSizes, windowTokens: 20_000 });
    for (let at = 0; at < 20; at += 1) {
      const id = `p${String(at)}`;
      await before.insert(pair(id, textOf(150, id)));
    }
    const inner = memoryBackend({ place });
    const reading = { now: 0, most: 0, all: 0 };
    const get: StoreBackend['get'] = async (...call) => {
      if (call[0] !== 'outputs') return inner.get(...call);
      reading.all += 1;
      reading.most = Math.max(reading.most, (reading.now += 1));
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      reading.now -= 1;
      return inner.get(...call);
    };
    const again = await testSession(await openStore({ ...inner, get }));
    expect(shown(again)).toBe(shown(before));
    expect(reading).toEqual({ now: 0, most: 8, all: 20 });
  });

  it('says of a result that was deleted that it is gone', async () => {
    const { store, reopen } = await testPlace();
    const window = await testSession(store, { windowTokens: 50_000 });
    await window.insert([user('task'), ...pair('a', textOf(100))]);
    await store.outputs.clear('s');
    const again = await testSession(await reopen());
    expect(shown(again)).toContain('deleted from the store');
    expect((await again.request(0)).messages).toHaveLength(3);
  });
});

describe('a rewind', () => {
  it('brings back the view of a moment byte for byte, after flushes, a compaction and a restart', async () => {
    const { store, reopen } = await testPlace();
    const window = await testSession(store, firstSizes);
    await window.insert(user('task'));
    await work(window, 0, 6);
    const moment = window.next - 1;
    const before = shown(window);
    await work(window, 6, 40);
    expect((await eventTypes(window)).length).toBeGreaterThan(100);
    await window.compact({ summary: 'In short.' });
    await work(window, 40, 50);
    const again = await testSession(await reopen());
    const receipt = await again.rewind(moment);
    expect(receipt).toMatchObject({ to: moment, sequence: again.next - 1 });
    expect(receipt.leftEvents).toBeGreaterThan(100);
    expect(shown(again)).toBe(before);
    expect(shown(await testSession(await reopen()))).toBe(before);
  });

  it('goes on from there, and can itself be undone', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, firstSizes);
    await window.insert([user('task'), assistant('one')]);
    const first = window.next - 1;
    await window.insert(user('two'));
    const second = window.next - 1;
    await window.rewind(first);
    await window.insert(user('another way'));
    expect(window.view()).toEqual([user('task'), assistant('one'), user('another way')]);
    await window.rewind(second);
    expect(window.view()).toEqual([user('task'), assistant('one'), user('two')]);
    expect(await eventTypes(window)).toHaveLength(7);
  });

  it('is warm where all of the view was in the last request, and cold below the first that could leave', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, { windowTokens: 50_000 });
    await window.insert(user('task'));
    await window.insert([...pair('a', textOf(250, 'a')), ...pair('b', textOf(250, 'b'))]);
    await window.insert(pair('c', textOf(280, 'c'), 'Read'));
    await window.insert(pair('d', textOf(280, 'd'), 'Read'));
    await window.request(0);
    const before = window.next - 1;
    await window.insert(user('more'));
    await window.request(1);
    expect((await window.rewind(before)).isCold).toBe(false);
    expect((await window.request(2)).flush).toBeUndefined();
    const flushed = await window.request(1_000_000);
    expect(flushed.flush?.cause).toBe('free');
    expect((await window.rewind(before)).isCold).toBe(true);
    expect((await window.request(1_000_001)).flush?.cause).toBe('free');
  });

  it('keeps what was learned since: the model is the one of now', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, { windowTokens: 50_000 });
    await window.insert(user('task'));
    const { sequence } = await window.request(0);
    await window.resize({ windowTokens: 9000, fixedTokens: 700, isCold: true });
    await window.rewind(sequence);
    expect((await window.request(1)).tokens).toBeGreaterThan(700);
  });

  it.each([-1, 99, 0.5, Number.NaN])('refuses %s, which is no event', async (to) => {
    const { store } = await testPlace();
    const window = await testSession(store);
    await window.insert(user('task'));
    await expect(window.rewind(to)).rejects.toMatchObject({ code: 'CTX_INVALID_ADDRESS' });
    expect(window.view()).toEqual([user('task')]);
  });
});

describe('a checkpoint', () => {
  it('is restored by name, also after a restart; a name means its newest moment', async () => {
    const { store, reopen } = await testPlace();
    const window = await testSession(store);
    await window.insert(user('task'));
    await window.checkpoint('start');
    await window.insert(assistant('one'));
    await window.checkpoint('good');
    await window.insert(user('two'));
    await window.checkpoint('start');
    await window.insert(assistant('three'));
    const again = await testSession(await reopen());
    expect(again.checkpoints().map(({ name }) => name)).toEqual(['good', 'start']);
    await again.restore('good');
    expect(again.view()).toEqual([user('task'), assistant('one')]);
    await again.restore('start');
    expect(again.view()).toHaveLength(3);
    await expect(again.restore('nothing')).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
  });
});

describe('a fork', () => {
  it('is a session of its own with the view of that moment, its results read from where they are', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, firstSizes);
    await window.insert(user('task'));
    await work(window, 0, 12);
    const moment = window.next - 1;
    const before = shown(window);
    await window.insert(user('only here'));
    await window.rewind(moment);
    const fork = await window.fork('t', window.next - 1);
    expect(shown(fork)).toBe(before);
    await fork.insert(user('only there'));
    expect(shown(window)).toBe(before);
    const grandchild = await fork.fork('u');
    expect(shown(grandchild)).toBe(shown(fork));
    expect(await originsOf(store, 'u')).toEqual(['t', 's']);
    expect(await originsOf(store, 's')).toEqual([]);
    expect(await readMessages(store, 'u', { from: 2, to: 2 })).toEqual(
      await readMessages(store, 's', { from: 2, to: 2 }),
    );
  });

  it('does not touch a session that has a log', async () => {
    const { store } = await testPlace();
    const window = await testSession(store);
    await window.insert(user('task'));
    const other = await testSession(store, { sessionId: 't' });
    await other.insert(user('mine'));
    await expect(window.fork('t')).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    await window.insert(assistant('goes on'));
    expect((await testSession(store, { sessionId: 't' })).view()).toEqual([user('mine')]);
  });
});

describe('the address of messages', () => {
  it('gives what was cut and what was summed up, byte for byte', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, {
      windowTokens: 3000,
      policy: { ...windowModes.default, tailTokens: 500, coldTailTokens: 200 },
      tokensOf,
    });
    const all: Message[] = [user('task')];
    for (let index = 0; index < 20; index += 1) {
      const id = `p${String(index)}`;
      all.push(assistant(`${id} ${textOf(120, id)}`), user(textOf(100, `u${id}`)));
    }
    await window.insert(all);
    const { flush } = await window.request(0);
    const cut = flush?.cut;
    expect(cut).toBeDefined();
    const address = `ctx://messages/${String(cut?.from)}-${String(cut?.to)}`;
    expect(shown(window)).toContain(address);
    const read = await readAddress(store, 's', address);
    expect(read.map(({ message }) => message)).toEqual(all.slice(cut?.from, (cut?.to ?? 0) + 1));
    const { pointer, sequence } = await window.compact({ summary: 'short', tailTokens: 100 });
    expect(sequence).toBe(window.next - 1);
    const summed = await readAddress(store, 's', pointer);
    expect(summed.map(({ message }) => message)).toEqual(all.slice(1, 1 + summed.length));
  });

  it('follows the way that the log took', async () => {
    const { store } = await testPlace();
    const window = await testSession(store);
    await window.insert(user('task'));
    const moment = window.next - 1;
    await window.insert(assistant('left out'));
    await window.rewind(moment);
    await window.insert(assistant('went on'));
    const [read] = await readAddress(store, 's', 'ctx://messages/1');
    expect(read?.message).toEqual(assistant('went on'));
  });

  it.each([
    'ctx://messages/',
    'ctx://messages/2-1',
    'ctx://messages/1-2-3',
    'ctx://messages/-1',
    'ctx://messages/1e3',
    'ctx://messages/1,',
    'ctx://messages/,1',
    'ctx://messages/1,,3',
    `ctx://messages/${Array.from({ length: 101 }, (_, place) => String(place)).join(',')}`,
    'ctx://outputs/1',
    `ctx://messages/${'9'.repeat(40)}`,
  ])('is not %s', (address) => {
    expect(messageRangesOf(address)).toBeUndefined();
  });

  it('names single messages and ranges of them', async () => {
    const { store } = await testPlace();
    const window = await testSession(store);
    await window.insert(['a', 'b', 'c', 'd', 'e', 'f'].map(user));
    const read = await readAddress(store, 's', ' ctx://messages/4,0-1 ');
    expect(read.map(({ index }) => index)).toEqual([0, 1, 4]);
    expect(read.at(-1)?.message).toEqual(user('e'));
  });

  it('says so where there is no such message', async () => {
    const { store } = await testPlace();
    await expect(readAddress(store, 's', 'ctx://messages/0')).rejects.toMatchObject({
      code: 'CTX_NOT_FOUND',
    });
  });
});
