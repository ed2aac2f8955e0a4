import { sequenceIds } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { type ContextStore, type OpenStoreOptions, openStore } from '../open-store.ts';

const openMemory = (options: OpenStoreOptions = {}): Promise<ContextStore> =>
  openStore(memoryBackend(), { clock: () => 1000, ids: sequenceIds('r'), ...options });

const big = (mark: string): string => `${mark} ${'x'.repeat(3000)}`;

describe('saving and loading outputs', () => {
  it('gives back anything a tool may return', async () => {
    const store = await openMemory();
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }),
        async (result) => {
          const { pointer } = await store.outputs.save({
            sessionId: 's',
            toolName: 't',
            args: {},
            result,
          });
          const loaded = await store.outputs.load(pointer);
          expect(loaded?.result).toEqual(result);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('describes, measures and names the output', async () => {
    const store = await openMemory({ tokenCounter: (text) => text.length });
    const { pointer, redaction } = await store.outputs.save({
      sessionId: 's',
      toolName: 'Read file!',
      args: { file_path: 'src/a.ts', content: 'y'.repeat(5000) },
      result: 'one\ntwo\nä\n',
      queryId: 'q1',
      taskId: 't1',
    });
    expect(pointer).toMatchObject({
      sessionId: 's',
      toolName: 'Read file!',
      createdAt: 1000,
      sequence: 0,
      bytes: 11,
      tokens: 10,
      lines: 3,
      queryId: 'q1',
      taskId: 't1',
      path: 'src/a.ts',
      pinned: false,
    });
    expect(pointer.id).toMatch(/^Read_file__[0-9a-f]{8}_1000_0_r/);
    expect(JSON.stringify(pointer).length).toBeLessThan(2000);
    expect(redaction.total).toBe(0);
    const loaded = await store.outputs.load({ id: pointer.id });
    expect(loaded?.args).toEqual({ file_path: 'src/a.ts', content: 'y'.repeat(5000) });
  });

  it('reads what is missing as undefined', async () => {
    const store = await openMemory();
    expect(await store.outputs.load({ id: 'nope' })).toBeUndefined();
    expect(await store.outputs.load({ id: 'nope', sessionId: 's' })).toBeUndefined();
    expect(await store.outputs.pointer({ id: 'nope' })).toBeUndefined();
  });

  it('refuses a result over the limit and keeps nothing of it', async () => {
    const store = await openMemory({ outputs: { maxBytes: 100 } });
    const save = store.outputs.save({
      sessionId: 's',
      toolName: 't',
      args: {},
      result: 'x'.repeat(101),
    });
    await expect(save).rejects.toMatchObject({ code: 'CTX_TOO_LARGE' });
    expect((await store.outputs.tally()).outputs).toBe(0);
  });

  it('gives every caller an own copy', async () => {
    const store = await openMemory();
    const { pointer } = await store.outputs.save({
      sessionId: 's',
      toolName: 't',
      args: { a: [1] },
      result: { b: [2] },
    });
    const first = await store.outputs.load(pointer);
    (first?.result as { b: number[] }).b.push(3);
    (first?.args as { a: number[] }).a.push(3);
    const second = await store.outputs.load(pointer);
    expect(second?.result).toEqual({ b: [2] });
    expect(second?.args).toEqual({ a: [1] });
  });

  it.each(['', '../x', 'a\u0000b', '\ud800', '😀'.repeat(50), 'CON', 'user:a:1', '__proto__'])(
    'takes the session id %j like any other',
    async (sessionId) => {
      const store = await openMemory();
      const { pointer } = await store.outputs.save({
        sessionId,
        toolName: '',
        args: null,
        result: sessionId,
      });
      expect(pointer.sessionId).toBe(sessionId);
      expect((await store.outputs.load(pointer))?.result).toBe(sessionId);
      const page = await store.outputs.pointers({ sessionId });
      expect(page.entries.map(({ id }) => id)).toEqual([pointer.id]);
    },
  );

  it('refuses an id over 1,024 bytes', async () => {
    const store = await openMemory();
    const sessionId = 'ä'.repeat(513);
    const save = store.outputs.save({ sessionId, toolName: 't', args: {}, result: '' });
    await expect(save).rejects.toMatchObject({ code: 'CTX_TOO_LARGE' });
  });
});

describe('pointers', () => {
  it('come by session, query and task, in the order of saving, page by page', async () => {
    const store = await openMemory();
    for (let index = 0; index < 7; index += 1) {
      const queryId = index % 2 === 0 ? 'even' : 'odd';
      const taskId = `task ${String(index % 3)}`;
      const input = { sessionId: 's', toolName: 't', args: { index }, result: index };
      await store.outputs.save({ ...input, queryId, taskId });
    }
    await store.outputs.save({
      sessionId: 'other',
      toolName: 't',
      args: {},
      result: 1,
      queryId: 'even',
    });
    const argsOf = async (request: { queryId?: string; taskId?: string }) =>
      (await store.outputs.pointers({ sessionId: 's', ...request })).entries.map(
        ({ args }) => args,
      );
    expect(await argsOf({ queryId: 'even' })).toEqual([0, 2, 4, 6].map((index) => ({ index })));
    expect(await argsOf({ taskId: 'task 1' })).toEqual([1, 4].map((index) => ({ index })));
    const seen: number[] = [];
    let after: string | undefined;
    do {
      const page = await store.outputs.pointers({
        sessionId: 's',
        limit: 3,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...page.entries.map(({ sequence }) => sequence));
      after = page.next;
    } while (after !== undefined);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it.each(['', 'garbage', 'e30', btoa('{"values":[1],"key":[]}')])(
    'refuse the cursor %j',
    async (after) => {
      const store = await openMemory();
      const page = store.outputs.pointers({ sessionId: 's', after });
      await expect(page).rejects.toMatchObject({ code: 'CTX_INVALID_ADDRESS' });
    },
  );

  it('refuse a limit that is none', async () => {
    const store = await openMemory();
    for (const limit of [0, -1, 1.5, 1001]) {
      const page = store.outputs.pointers({ sessionId: 's', limit });
      await expect(page).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    }
  });
});

describe('equal results', () => {
  const save = (store: ContextStore, result: unknown, sessionId = 's') =>
    store.outputs.save({ sessionId, toolName: 'Read', args: { n: 1 }, result });

  it('are stored once in a session, and each pointer resolves', async () => {
    const store = await openMemory();
    const first = await save(store, big('a'));
    const second = await save(store, big('a'));
    const elsewhere = await save(store, big('a'), 'other');
    expect(first.sameAs).toBeUndefined();
    expect(second.sameAs).toBe(first.pointer.id);
    expect(elsewhere.sameAs).toBeUndefined();
    for (const { pointer } of [first, second, elsewhere]) {
      expect((await store.outputs.load(pointer))?.result).toBe(big('a'));
    }
  });

  it('are found within one batch, too', async () => {
    const store = await openMemory();
    const input = { sessionId: 's', toolName: 'Read', args: {}, result: big('a') };
    const [first, second, third] = await store.outputs.saveAll([input, input, input]);
    expect([second?.sameAs, third?.sameAs]).toEqual([first?.pointer.id, first?.pointer.id]);
    await store.outputs.delete([{ sessionId: 's', id: first?.pointer.id ?? '' }]);
    expect((await store.outputs.load({ id: third?.pointer.id ?? '' }))?.result).toBe(big('a'));
  });

  it('stay readable when the output that held them is deleted, and searchable', async () => {
    const store = await openMemory();
    const receipts = [];
    for (let index = 0; index < 4; index += 1) receipts.push(await save(store, big('needle')));
    for (const [index, { pointer }] of receipts.entries()) {
      await store.outputs.delete([{ sessionId: 's', id: pointer.id }]);
      expect(await store.outputs.load(pointer)).toBeUndefined();
      for (const later of receipts.slice(index + 1)) {
        expect((await store.outputs.load(later.pointer))?.result).toBe(big('needle'));
      }
      const hits = (await store.outputs.search({ text: 'needle' })).hits;
      expect(hits).toHaveLength(3 - index);
    }
  });

  it('never leave a pointer without content, whatever is saved and deleted at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 4, maxLength: 20 }), async (steps) => {
        const store = await openMemory();
        const alive = [(await save(store, big('a'))).pointer];
        await Promise.all(
          steps.map(async (isSave) => {
            if (isSave) {
              alive.push((await save(store, big('a'))).pointer);
              return;
            }
            const victim = alive.shift();
            if (victim !== undefined) await store.outputs.delete([victim]);
          }),
        );
        for (const pointer of alive) {
          expect((await store.outputs.load(pointer))?.result).toBe(big('a'));
        }
        expect((await store.outputs.tally()).outputs).toBe(alive.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('clearing and retention', () => {
  it('clears one session and touches no other', async () => {
    const store = await openMemory();
    for (let index = 0; index < 450; index += 1) {
      await store.outputs.save({
        sessionId: 'a',
        toolName: 't',
        args: {},
        result: big(String(index % 7)),
      });
    }
    const kept = await store.outputs.save({
      sessionId: 'b',
      toolName: 't',
      args: {},
      result: big('0'),
    });
    expect(await store.outputs.clear('a')).toBe(450);
    expect((await store.outputs.pointers({ sessionId: 'a' })).entries).toEqual([]);
    expect((await store.outputs.load(kept.pointer))?.result).toBe(big('0'));
    expect(await store.outputs.clear('a')).toBe(0);
  });

  it('sends the oldest away by age and by size, but nothing pinned', async () => {
    let now = 0;
    const store = await openMemory({ clock: () => now });
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      now = index * 100;
      const input = { sessionId: 's', toolName: 't', args: {}, result: String(index).repeat(100) };
      const { pointer } = await store.outputs.save({ ...input, pinned: index === 0 });
      ids.push(pointer.id);
    }
    const byAge = await store.outputs.planRetention({ maxAgeMs: 350 });
    expect(byAge.leaving.map((key) => key[1])).toEqual([ids[1]]);
    expect(byAge).toMatchObject({ bytesBefore: 600, bytesAfter: 500, keptPinned: 1 });
    const plan = await store.outputs.planRetention({ maxTotalBytes: 250 });
    expect(plan.leaving.map((key) => key[1])).toEqual(ids.slice(1, 5));
    const receipt = await store.outputs.applyRetention(plan);
    expect(receipt).toEqual({ deleted: 4, bytesBefore: 600, bytesAfter: 200, keptPinned: 1 });
    const left = await store.outputs.pointers({ sessionId: 's' });
    expect(left.entries.map(({ id }) => id)).toEqual([ids[0], ids[5]]);
    expect((await store.outputs.planRetention({ maxTotalBytes: 250 })).leaving).toEqual([]);
  });

  it('refuses a retention that makes no sense', async () => {
    const store = await openMemory();
    const plan = store.outputs.planRetention({ maxAgeMs: -1 });
    await expect(plan).rejects.toMatchObject({ code: 'CTX_INVALID_OPTION' });
  });
});

describe('search', () => {
  it('shows the line that matches best, of the result or else of the arguments', async () => {
    const store = await openMemory();
    const save = (args: object, result: unknown): Promise<unknown> =>
      store.outputs.save({ sessionId: 'a', toolName: 'run', args, result });
    const log = `start\nconnecting to the host\n  connection to port 80 refused\n${'x\n'.repeat(900)}`;
    await save({ command: 'serve --port 80' }, log);
    await save({ command: 'first\nlist the refused' }, 'nothing');
    const search = { text: 'refused connections' };
    const [result, args] = (await store.outputs.search({ ...search, lines: true })).hits;
    expect(result?.line).toEqual({
      of: 'result',
      line: 3,
      text: 'connection to port 80 refused',
      marks: [
        [0, 10],
        [22, 29],
      ],
    });
    expect(args?.line).toMatchObject({ of: 'arguments', line: 2, text: 'list the refused' });
    const [toolName] = (await store.outputs.search({ text: 'run', lines: true })).hits;
    expect(toolName).not.toHaveProperty('line');
    const [unasked] = (await store.outputs.search(search)).hits;
    expect(unasked).not.toHaveProperty('line');
  });

  it('shows the line of a result that another output holds', async () => {
    const store = await openMemory();
    const result = `${'filler text\n'.repeat(400)}a needle here`;
    for (const sessionId of ['a', 'b']) {
      await store.outputs.save({ sessionId, toolName: 'run', args: {}, result });
    }
    const hits = (await store.outputs.search({ text: 'needle', lines: true })).hits;
    expect(hits.map(({ line }) => line?.line)).toEqual([401, 401]);
  });

  it('finds by words of arguments and result, within a session if asked', async () => {
    const store = await openMemory();
    const save = (sessionId: string, args: unknown, result: string) =>
      store.outputs.save({ sessionId, toolName: 'grep', args, result });
    const hit = await save('a', { pattern: 'parseConfig' }, 'nothing');
    await save('b', {}, 'the config parser fails');
    const all = (await store.outputs.search({ text: 'config' })).hits;
    expect(all).toHaveLength(2);
    const inSession = (await store.outputs.search({ text: 'parse config', sessionId: 'a' })).hits;
    expect(inSession.map(({ pointer }) => pointer.id)).toEqual([hit.pointer.id]);
    expect((await store.outputs.search({ text: ' , the ' })).hits).toEqual([]);
    expect((await store.outputs.search({ text: '"OR" NEAR( *' })).hits).toEqual([]);
  });
});
