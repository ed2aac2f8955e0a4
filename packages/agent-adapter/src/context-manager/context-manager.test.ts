import { CtxError, type Message, validateMessages } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { sessionLog } from '@ctx/truncation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContextManager } from './create-context-manager.ts';
import type { Prepared } from './request/prepared.ts';

/** What `npm test` looks at of what the campaigns do. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const reply = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });
const call = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } })),
});
const results = (given: Readonly<Record<string, string>>): Message => ({
  role: 'user',
  content: Object.entries(given).map(([toolUseId, text]) => ({
    type: 'tool_result',
    toolUseId,
    content: [{ type: 'text', text }],
  })),
});

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}

const bytes = ({ messages }: Prepared): string => JSON.stringify(messages);

/** A backend whose writes fail while `isBroken` says so. */
function breakable(isBroken: () => boolean): StoreBackend {
  const backend = memoryBackend();
  return {
    ...backend,
    write: async (...args) => {
      if (isBroken()) throw new CtxError('CTX_STORE_FULL', 'no space left');
      return backend.write(...args);
    },
  };
}

describe('an agent loop', () => {
  it('goes on after a restart where a call that is known has an image as its only result', async () => {
    const place = createMemoryPlace();
    const open = async () => {
      const store = await openStore(memoryBackend({ place }));
      return createContextManager({ store, sessionId: 's', model: 'claude-sonnet' });
    };
    const before = await open();
    await before.recordToolOutput({ id: 'c1', name: 'Bash', input: { command: 'c1' } }, 'drawn');
    await before.end();
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
    const data = { type: 'image', source };
    const image = { type: 'opaque', format: 'anthropic:image', data } as const;
    const shown = { type: 'tool_result', toolUseId: 'c1', content: [image] } as const;
    const manager = await open();
    const { messages, receipt } = await manager.prepare([
      say('draw'),
      call('c1'),
      { role: 'user', content: [shown] },
    ]);
    expect(receipt.degraded).toBeUndefined();
    expect(messages.at(-1)?.content).toEqual([shown]);
  });

  it('is a line for each step: record, prepare, observe', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's', model: 'claude-sonnet' });
    const history = [say('run it'), call('c1')];
    const log = 'line of a log\n'.repeat(20_000);
    const { content, offloaded, pointer } = await manager.recordToolOutput(
      { id: 'c1', name: 'Bash', input: { command: 'c1' } },
      log,
    );
    expect(offloaded).toBe(true);
    history.push(results({ c1: content }));
    const { messages, receipt } = await manager.prepare(history, { system: 'be brief' });
    expect(messages).toEqual(history);
    expect(receipt).toMatchObject({ inserted: 3, windowTokens: 200_000 });
    await manager.observe({ inputTokens: receipt.tokens, outputTokens: 10 });
    const [id = ''] = (await manager.getAllPointers()).map((each) => each.id);
    expect(pointer).toBe(`ctx://outputs/${id}`);
    const [output] = await manager.loadContexts([id]);
    expect(output?.result).toBe(log);
    expect(manager.size).toBe(1);
    await manager.end();
    expect((await store.sessions.get('s'))?.document.token_usage.total_output).toBe(10);
  });

  it('keeps system prompt and tools apart, by name, and says so once while they stay', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's', model: 'claude-sonnet' });
    const tools = [{ name: 'look', description: 'looks at a file' }];
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'task' }] }];
    for (let time = 0; time < 2; time += 1) {
      await manager.prepare(messages, { system: 'Be brief.', tools });
    }
    const { fixed, fixedTokens } = await sessionLog(store, 's').view();
    expect(fixed?.tools.map(({ name }) => name)).toEqual(['look']);
    expect((fixed?.system ?? 0) + (fixed?.tools[0]?.tokens ?? 0)).toBe(fixedTokens);
    const types: string[] = [];
    for await (const { type } of store.events.read('s')) types.push(type);
    expect(types.filter((type) => type === 'window-resized')).toHaveLength(2);
  });

  it('leaves what the host holds untouched', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const history = frozen([say('a'), call('c1'), results({ c1: 'small' }), reply('done')]);
    const { messages } = await manager.prepare(history);
    expect(messages).toEqual(history);
  });

  it('has begun each request with the one before until something leaves', async () => {
    const store = await openStore(memoryBackend());
    const model = { name: 'm', windowTokens: 12_000, price: 'anthropic-5m' };
    const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
    const history: Message[] = [say('work')];
    let before: readonly Message[] = [];
    let flushes = 0;
    for (let step = 0; step < 60; step += 1) {
      const id = `c${String(step)}`;
      history.push(call(id), results({ [id]: `${id} ${'word '.repeat(300)}` }));
      const { messages, receipt } = await manager.prepare(history);
      expect(validateMessages(messages)).toEqual([]);
      expect(receipt.tokens).toBeLessThanOrEqual(12_000);
      if (receipt.flush === undefined) expect(messages.slice(0, before.length)).toEqual(before);
      else flushes += 1;
      before = messages;
    }
    expect(flushes).toBeGreaterThan(0);
    expect(flushes).toBeLessThan(20);
  });
});

describe('a result that is no text', () => {
  it('is stored once and comes back in the request after a restart as it stood there', async () => {
    const store = await openStore(memoryBackend());
    const value = { rows: Array.from({ length: 40 }, (_, row) => ({ row, name: 'x' })) };
    const manager = createContextManager({ store, sessionId: 's' });
    const tool = { id: 'c1', name: 'query', input: {} };
    const shownAs = JSON.stringify(value);
    const { offloaded } = await manager.recordToolOutput(tool, value, { shownAs });
    expect(offloaded).toBe(false);
    const history = [say('a'), call('c1'), results({ c1: shownAs })];
    const before = await manager.prepare(history);
    expect(manager.size).toBe(1);
    await manager.end();
    const again = createContextManager({ store, sessionId: 's' });
    expect(bytes(await again.prepare(history))).toBe(bytes(before));
  });
});

describe('a process that ended between a result and the next request', () => {
  it('leaves results that the next one finds: nothing is stored twice', async () => {
    const store = await openStore(memoryBackend());
    const texts = ['small', 'line of a log\n'.repeat(20_000)];
    const history = [say('a'), call('c0', 'c1')];
    const shown: Record<string, string> = {};
    const before = createContextManager({ store, sessionId: 's' });
    for (const [index, text] of texts.entries()) {
      const tool = {
        id: `c${String(index)}`,
        name: 'Bash',
        input: { command: `c${String(index)}` },
      };
      shown[tool.id] = (await before.recordToolOutput(tool, text)).content;
    }
    await before.end();
    history.push(results(shown));
    const manager = createContextManager({ store, sessionId: 's' });
    const { messages } = await manager.prepare(history);
    expect(messages).toEqual(history);
    expect(await manager.getAllPointers()).toHaveLength(2);
    expect(manager.size).toBe(2);
    await manager.end();
    const again = createContextManager({ store, sessionId: 's' });
    expect((await again.prepare(history)).messages).toEqual(history);
  });
});

describe('a store that keeps small results in memory only', () => {
  it('still has them in the request after a restart: the log of the window keeps them', async () => {
    const place = createMemoryPlace();
    const options = { outputs: { persist: 'large-only' } } as const;
    const text = 'small but over what a log keeps of an output '.repeat(10);
    const history = [say('a'), call('c1'), results({ c1: text })];
    const run = async (records: boolean): Promise<string> => {
      const store = await openStore(memoryBackend({ place }), options);
      const manager = createContextManager({ store, sessionId: 's' });
      const tool = { id: 'c1', name: 'Bash', input: { command: 'c1' } };
      if (records) await manager.recordToolOutput(tool, text);
      const request = await manager.prepare(history);
      await manager.end();
      await store.close();
      return bytes(request);
    };
    const before = await run(true);
    expect(before).toContain(text);
    expect(await run(false)).toBe(before);
  });
});

describe('a host that replays', () => {
  it('gets the same bytes for a call that was recorded, also after a restart, and nothing is stored twice', async () => {
    const store = await openStore(memoryBackend());
    const tool = { id: 'c1', name: 'Bash', input: { command: 'x' } };
    const log = 'output\n'.repeat(5000);
    const first = createContextManager({ store, sessionId: 's' });
    const [once, twice] = await Promise.all([
      first.recordToolOutput(tool, log),
      first.recordToolOutput(tool, log),
    ]);
    const later = await createContextManager({ store, sessionId: 's' }).recordToolOutput(tool, log);
    expect(twice).toEqual({ ...once, repeated: true });
    expect(later).toEqual({ ...once, repeated: true });
    const other = await first.recordToolOutput(tool, 'something else');
    expect(other.repeated).toBe(false);
    expect(first.size).toBe(2);
  });

  it('gets the same request whether it hands in its own history or what was returned', async () => {
    const model = { name: 'm', windowTokens: 10_000, price: 'anthropic-5m' };
    const run = async (keepsReturned: boolean): Promise<string[]> => {
      const store = await openStore(memoryBackend(), { clock: () => 1_000_000 });
      const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
      const requests: string[] = [];
      let history: readonly Message[] = [say('work')];
      for (let step = 0; step < 40; step += 1) {
        const id = `c${String(step)}`;
        history = [...history, call(id), results({ [id]: 'word '.repeat(400) })];
        const prepared = await manager.prepare(history, { at: 1_000_000 + step });
        // The names of outputs hold random signs.
        requests.push(bytes(prepared).replaceAll(/ctx:\/\/outputs\/[\w-]+/g, 'output'));
        if (keepsReturned) history = prepared.messages;
      }
      return requests;
    };
    expect(await run(true)).toEqual(await run(false));
  });

  it('goes back where it edits its history, and says so', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const history = [say('a'), reply('b'), say('c'), reply('d')];
    await manager.prepare(history);
    const { messages, receipt } = await manager.prepare([...history.slice(0, 2), say('other')]);
    expect(messages).toEqual([say('a'), reply('b'), say('other')]);
    expect(receipt.rewound?.kept).toBe(2);
    const afresh = await manager.prepare([say('from the beginning')]);
    expect(afresh.messages).toEqual([say('from the beginning')]);
  });

  it('gives the same request in whatever way it replays, resumes, keeps or grows its history', async () => {
    const step = fc.record({
      kind: fc.constantFrom('talk', 'call', 'parallel', 'late'),
      size: fc.integer({ min: 1, max: 600 }),
      restart: fc.boolean(),
      copies: fc.boolean(),
      keeps: fc.boolean(),
    });
    const model = { name: 'm', windowTokens: 6000, price: 'anthropic-5m' };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const straight = await openStore(memoryBackend(), { clock: () => 1 });
        const winding = await openStore(memoryBackend(), { clock: () => 1 });
        const options = { sessionId: 's', model, compaction: false } as const;
        const plain = createContextManager({ ...options, store: straight });
        let manager = createContextManager({ ...options, store: winding });
        const all: Message[] = [];
        let history: readonly Message[] = [];
        for (const [index, { kind, size, restart, copies, keeps }] of steps.entries()) {
          const id = `c${String(index)}`;
          const text = `${id} ${'word '.repeat(size)}`;
          const fresh =
            kind === 'talk'
              ? [say(text), reply(id)]
              : kind === 'call'
                ? [say(id), call(id), results({ [id]: text })]
                : [say(id), call(id, `${id}b`), results({ [id]: text, [`${id}b`]: 'ok' })];
          all.push(...fresh);
          history = [...history, ...fresh];
          if (restart) {
            await manager.end();
            manager = createContextManager({ ...options, store: winding });
          }
          const handed = frozen(copies ? structuredClone(history) : history);
          const expected = await plain.prepare(all, { at: index });
          const prepared = await manager.prepare(handed, { at: index });
          const nameless = (made: Prepared) =>
            bytes(made).replaceAll(/ctx:\/\/outputs\/[\w-]+/g, 'output');
          expect(nameless(prepared)).toBe(nameless(expected));
          expect(prepared.receipt.rewound).toBeUndefined();
          expect(validateMessages(prepared.messages)).toEqual([]);
          if (keeps) history = prepared.messages;
        }
      }),
      { numRuns: Number(process.env['CTX_TEST_RUNS'] ?? 40 * share) },
    );
  });
});

describe('a store that fails', () => {
  it('never stops the agent: results go through whole, requests are made without the log', async () => {
    let isBroken = false;
    const store = await openStore(breakable(() => isBroken));
    const model = { name: 'm', windowTokens: 10_000, price: 'anthropic-5m' };
    const manager = createContextManager({ store, sessionId: 's', model });
    const told: string[] = [];
    manager.on('degraded', ({ during, code }) => {
      told.push(`${during} ${code}`);
    });
    const history = [say('a'), reply('b')];
    await manager.prepare(history);
    isBroken = true;
    const log = 'word '.repeat(20_000);
    const recorded = await manager.recordToolOutput({ id: 'c1', name: 'Bash', input: {} }, log);
    expect(recorded).toMatchObject({ content: log, offloaded: false });
    expect(recorded.degraded?.code).toBe('CTX_STORE_FULL');
    const longer = [...history, say('c'), call('c1'), results({ c1: log })];
    const prepared = await manager.prepare(longer);
    expect(prepared.receipt.degraded?.code).toBe('CTX_STORE_FULL');
    expect(validateMessages(prepared.messages)).toEqual([]);
    expect(prepared.receipt.tokens).toBeLessThanOrEqual(10_000);
    expect(told).toEqual(['record CTX_STORE_FULL', 'prepare CTX_STORE_FULL']);
    isBroken = false;
    const mended = await manager.prepare(longer);
    expect(mended.receipt.degraded).toBeUndefined();
    expect(mended.receipt.inserted).toBe(3);
  });

  it('tells the listeners of a failed listener, and nobody else', async () => {
    const manager = createContextManager({
      store: await openStore(memoryBackend()),
      sessionId: 's',
    });
    const seen: string[] = [];
    const off = manager.on('prepared', () => {
      throw new Error('listener');
    });
    manager.on('degraded', ({ during }) => {
      seen.push(during);
    });
    await manager.prepare([say('a')]);
    off();
    await manager.prepare([say('a'), reply('b'), say('c')]);
    expect(seen).toEqual(['listener']);
  });
});

describe('secrets', () => {
  it('stand neither in the log nor in the request, and the history is still followed', async () => {
    const secret = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40);
    const store = await openStore(memoryBackend(), { redactor: createRedactor() });
    const manager = createContextManager({ store, sessionId: 's' });
    const history = [say(`my token is ${secret}`), reply('thanks')];
    const first = await manager.prepare(history);
    expect(bytes(first)).not.toContain(secret);
    const again = createContextManager({ store, sessionId: 's' });
    const { receipt } = await again.prepare([...history, say('go on')]);
    expect(receipt).toMatchObject({ inserted: 1 });
    expect(receipt.rewound).toBeUndefined();
    const events: string[] = [];
    for await (const event of store.events.read('s')) events.push(outputText(event.payload));
    expect(events.join('\n')).not.toContain(secret);
  });
});

describe('moments', () => {
  it('are gone back to by name, byte for byte, also after a restart', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const before = await manager.prepare([say('a'), reply('b'), say('c')]);
    await manager.checkpoint('here');
    await manager.prepare([say('a'), reply('b'), say('c'), reply('d'), say('e')]);
    await manager.end();
    const again = createContextManager({ store, sessionId: 's' });
    expect((await again.checkpoints()).map(({ name }) => name)).toEqual(['here']);
    await again.restore('here');
    const after = await again.prepare([say('a'), reply('b'), say('c')]);
    expect(bytes(after)).toBe(bytes(before));
    expect(after.receipt).toMatchObject({ inserted: 0 });
    await expect(again.restore('nowhere')).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
  });

  it('says of each part of the request why it is there', async () => {
    const manager = createContextManager({
      store: await openStore(memoryBackend()),
      sessionId: 's',
    });
    await manager.prepare([say('a'), call('c1'), results({ c1: 'x'.repeat(50_000) })]);
    const reasons = await manager.why();
    expect(reasons).toHaveLength(3);
    expect(reasons.at(-1)?.form).toBe('preview');
  });
});

describe('the tools of a manager', () => {
  it('read back, search, remember, recall and tell the state', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const { pointer } = await manager.recordToolOutput(
      { id: 'c1', name: 'Bash', input: { command: 'npm test' } },
      'the zebra test failed',
    );
    await manager.prepare([say('a')]);
    const tools = new Map(manager.tools().map((tool) => [tool.name, tool]));
    const run = async (name: string, args: unknown) => (await tools.get(name)?.execute(args)) ?? '';
    expect([...tools.keys()]).toEqual([
      'ctx_read_output',
      'ctx_search_outputs',
      'ctx_remember',
      'ctx_recall',
      'ctx_status',
    ]);
    expect(await run('ctx_read_output', { pointer })).toContain('zebra test failed');
    expect(await run('ctx_search_outputs', { query: 'zebra' })).toContain('zebra');
    expect(await run('ctx_remember', { fact: 'The owner prefers tabs' })).toBe('Remembered.');
    expect(await run('ctx_remember', { fact: 'the owner prefers TABS.' })).toContain('known');
    expect(await run('ctx_recall', { query: 'tabs or spaces' })).toContain('prefers tabs');
    expect(await run('ctx_recall', { query: 'volcano' })).toContain('Nothing');
    const before = { query: 'tabs or spaces', asOf: '1970-01-01' };
    expect(await run('ctx_recall', before)).toContain('Nothing');
    const after = { query: 'tabs or spaces', asOf: '2999-01-01' };
    expect(await run('ctx_recall', after)).toContain('prefers tabs');
    expect(await run('ctx_recall', { ...before, asOf: 'today' })).toContain('Wrong arguments');
    expect(await run('ctx_recall', { ...before, asOf: '2026-13-45' })).toContain('asOf');
    expect(await run('ctx_remember', { wrong: 1 })).toContain('Wrong arguments');
    expect(await run('ctx_status', {})).toContain('of 128000 tokens');
  });
});

describe('the methods of seed 000', () => {
  it('empty the list of pointers and keep what is stored', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const first = await manager.saveContext('Bash', { command: 'a' }, 'alpha', 7);
    await manager.recordToolOutput({ id: 'c1', name: 'Bash', input: {} }, 'gamma '.repeat(9_000));
    expect(manager.size).toBe(2);
    manager.clearPointers();
    expect(manager.size).toBe(0);
    expect(await manager.getAllPointers()).toEqual([]);
    expect(await manager.getPointersForTask(7)).toEqual([]);
    expect(await manager.selectRelevantContexts('alpha')).toEqual([]);
    expect((await manager.loadContexts([first])).map(({ result }) => result)).toEqual(['alpha']);
    const later = await manager.saveContext('Bash', { command: 'b' }, 'beta', 7);
    expect((await manager.getAllPointers()).map(({ id }) => id)).toEqual([later]);
    expect(manager.size).toBe(1);
    const again = createContextManager({ store, sessionId: 's' });
    expect(again.size).toBe(0);
    expect(await again.getAllPointers()).toHaveLength(3);
    expect(again.size).toBe(3);
  });

  it('save, find and clear the outputs of one session', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const other = createContextManager({ store, sessionId: 'other' });
    const query = manager.hashQuery('what failed?');
    const first = await manager.saveContext('Bash', { command: 'a' }, 'alpha', 7, query);
    const second = await manager.saveContext('Read', { path: 'src/zebra.ts' }, 'beta');
    await other.saveContext('Bash', {}, 'theirs');
    expect(query).toBe(manager.hashQuery('what failed?'));
    expect((await manager.getPointersForQuery(query)).map(({ id }) => id)).toEqual([first]);
    expect((await manager.getPointersForTask(7)).map(({ id }) => id)).toEqual([first]);
    const pointers = await manager.getAllPointers();
    expect(pointers.map(({ id }) => id)).toEqual([first, second]);
    expect((await manager.selectRelevantContexts('zebra.ts', pointers))[0]).toBe(second);
    expect((await manager.loadContexts([second, 'unknown'])).map(({ result }) => result)).toEqual([
      'beta',
    ]);
    expect(manager.getContextDir()).toContain('/s');
    expect(manager.size).toBe(2);
    expect(await manager.clear()).toBe(2);
    expect([manager.size, other.size]).toEqual([0, 1]);
    expect(await manager.getAllPointers()).toEqual([]);
  });
});

describe('options that make no sense', () => {
  it('are refused before anything is done', async () => {
    const store = await openStore(memoryBackend());
    const refused = (options: object) => () =>
      createContextManager({ store, sessionId: 's', ...options });
    expect(refused({ sessionId: '' })).toThrow(/sessionId/);
    expect(refused({ model: { name: 'm', windowTokens: 0, price: 'openai' } })).toThrow(/window/);
    expect(refused({ model: { name: 'm', windowTokens: 9, price: 'x' } })).toThrow(/no price x/);
    expect(refused({ offload: { previewTokens: 5000 } })).toThrow(/previewTokens/);
  });

  it('ends once, keeps the store open, and refuses what comes later', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    await manager.saveContext('Bash', {}, 'x');
    await manager.end({ keep: false });
    await manager.end();
    await expect(manager.prepare([say('a')])).rejects.toThrow(/ended/);
    expect((await store.outputs.tally()).outputs).toBe(0);
  });
});
