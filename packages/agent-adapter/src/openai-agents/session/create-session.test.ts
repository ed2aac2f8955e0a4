import { CtxError } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemShape } from '../host-types.ts';
import { createSession } from './create-session.ts';

const say = (text: string): ItemShape => ({ type: 'message', role: 'user', content: text });
const call = (callId: string, name = 'run'): ItemShape => ({
  ...{ type: 'function_call', callId, name },
  arguments: '{}',
});
const result = (callId: string): ItemShape => ({
  ...{ type: 'function_call_result', callId, name: 'run' },
  output: callId,
});

async function open(place = createMemoryPlace()) {
  const store = await openStore(memoryBackend({ place }));
  return createSession<ItemShape>({ store, sessionId: 's' });
}

const refused: unknown = expect.objectContaining({ code: 'CTX_INVALID_INPUT' });

describe('a session', () => {
  it('keeps items in order, gives the newest, and lets the last go', async () => {
    const place = createMemoryPlace();
    const session = await open(place);
    await session.addItems([say('1'), call('a'), result('a')]);
    await session.addItems([]);
    await session.addItems([say('2')]);
    const again = await open(place);
    expect(await again.getItems()).toEqual([say('1'), call('a'), result('a'), say('2')]);
    expect(await again.getItems(2)).toEqual([say('2')]);
    expect(await again.getItems(3)).toEqual([call('a'), result('a'), say('2')]);
    expect(await again.getItems(0)).toEqual([]);
    expect(await again.popItem()).toEqual(say('2'));
    expect(await again.getItems(1)).toEqual([]);
    await again.clearSession();
    expect(await session.getItems()).toEqual([]);
    expect(await session.popItem()).toBeUndefined();
    expect(await session.getSessionId()).toBe('s');
  });

  it('keeps bytes, undefined members and what it does not know', async () => {
    const session = await open();
    const strange = {
      type: 'unknown',
      data: Uint8Array.of(1, 2),
      gone: undefined,
      deep: [{ a: -0 }],
    };
    await session.addItems([strange]);
    expect(await session.getItems()).toEqual([strange]);
  });

  it('takes the store of the tenant that the run names', async () => {
    const place = createMemoryPlace();
    const stores = new Map(
      await Promise.all(
        ['ours', 'theirs'].map(async (tenant) => {
          const store = await openStore(memoryBackend({ place }), { tenant });
          return [tenant, store] as const;
        }),
      ),
    );
    const session = createSession<ItemShape>({
      sessionId: 's',
      store: (context) => {
        const store = stores.get(String(context));
        if (store === undefined) throw new CtxError('CTX_NOT_ALLOWED', 'no tenant');
        return store;
      },
    });
    await session.addItems([say('ours')], { context: 'ours' });
    expect(await session.getItems(undefined, { context: 'ours' })).toEqual([say('ours')]);
    expect(await session.getItems(undefined, { context: 'theirs' })).toEqual([]);
    await expect(session.getItems()).rejects.toThrow('no tenant');
  });

  it('keeps no secret where the store keeps none, and transactions still match', async () => {
    const store = await openStore(memoryBackend(), { redactor: createRedactor() });
    const session = createSession<ItemShape>({ store, sessionId: 's' });
    const secret = say(`it is ghp_${'a1B2'.repeat(9)}`);
    await session.addItems([secret]);
    expect(JSON.stringify(await session.getItems())).toMatch(/\[redacted/);
    const transaction = {
      type: 'replace_suffix',
      expectedSuffix: [secret],
      replacement: [say('nothing')],
    } as const;
    await session.applyHistoryTransaction({ operationId: 'o', transaction });
    expect(await session.getItems()).toEqual([say('nothing')]);
  });
});

describe('a transaction', () => {
  it('is applied once for each name', async () => {
    const place = createMemoryPlace();
    const session = await open(place);
    const args = {
      operationId: 'o',
      transaction: { type: 'append_items', items: [say('1')] },
    } as const;
    await session.applyHistoryTransaction(args);
    await session.applyHistoryTransaction(args);
    await (await open(place)).applyHistoryTransaction(structuredClone(args));
    expect(await session.getItems()).toEqual([say('1')]);
    await session.clearSession();
    await session.applyHistoryTransaction(args);
    expect(await session.getItems()).toEqual([say('1')]);
  });

  it('is refused, and changes nothing, where it does not fit', async () => {
    const session = await open();
    await session.addItems([say('1'), say('2')]);
    const append = { type: 'append_items', items: [say('3')] } as const;
    const replace = {
      type: 'replace_suffix',
      expectedSuffix: [say('1')],
      replacement: [],
    } as const;
    await session.applyHistoryTransaction({ operationId: 'o', transaction: append });
    const wrong = [
      { operationId: 'o', transaction: { ...append, items: [say('4')] } },
      { operationId: 'p', transaction: replace },
      {
        operationId: 'p',
        transaction: { ...replace, expectedSuffix: [1, 2, 3, 4].map(() => say('1')) },
      },
      { operationId: '', transaction: append },
      { operationId: ' ', transaction: append },
      { operationId: 'p', transaction: { type: 'append_items', items: 'no' } as never },
      { operationId: 'p', transaction: { type: 'other' } as never },
      { operationId: 'p', transaction: null as never },
    ];
    for (const args of wrong) {
      await expect(session.applyHistoryTransaction(args)).rejects.toEqual(refused);
    }
    expect(await session.getItems()).toEqual([say('1'), say('2'), say('3')]);
    await session.applyHistoryTransaction({
      operationId: 'p',
      transaction: { ...replace, expectedSuffix: [say('2'), say('3')], replacement: [say('5')] },
    });
    expect(await session.getItems()).toEqual([say('1'), say('5')]);
  });

  it('replaces a call where it stands, and drops its copies', async () => {
    const session = await open();
    await session.addItems([call('a'), result('a'), call('b'), call('a')]);
    await session.applyHistoryMutations({
      mutations: [
        { type: 'replace_function_call', callId: 'a', replacement: call('a', 'other') },
        { type: 'replace_function_call', callId: 'missing', replacement: call('missing') },
      ],
    });
    expect(await session.getItems()).toEqual([call('a', 'other'), result('a'), call('b')]);
  });

  it('and everything else does what a list does, over random commands on two open sessions', async () => {
    const items = fc.array(
      fc.integer({ min: 0, max: 3 }).map((n) => say(String(n))),
      {
        maxLength: 3,
      },
    );
    const command = fc.oneof(
      fc.record({ type: fc.constant('add' as const), items }),
      fc.record({ type: fc.constant('pop' as const) }),
      fc.record({ type: fc.constant('clear' as const) }),
      fc.record({ type: fc.constant('swap' as const), items, count: fc.nat(3) }),
      fc.record({ type: fc.constant('again' as const), items }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 20 }), async (commands) => {
        const place = createMemoryPlace();
        const sessions = [await open(place), await open(place)];
        let model: ItemShape[] = [];
        for (const [index, each] of commands.entries()) {
          const session = sessions[index % 2];
          if (session === undefined) continue;
          const operationId = `o${String(index)}`;
          if (each.type === 'add') {
            await session.addItems(each.items);
            model = [...model, ...each.items];
          } else if (each.type === 'pop') {
            expect(await session.popItem()).toEqual(model.at(-1));
            model = model.slice(0, -1);
          } else if (each.type === 'clear') {
            await session.clearSession();
            model = [];
          } else if (each.type === 'swap') {
            const expectedSuffix = each.count === 0 ? [] : model.slice(-each.count);
            const transaction = {
              type: 'replace_suffix',
              expectedSuffix,
              replacement: each.items,
            } as const;
            await session.applyHistoryTransaction({ operationId, transaction });
            model = [...model.slice(0, model.length - expectedSuffix.length), ...each.items];
          } else {
            const transaction = { type: 'append_items', items: each.items } as const;
            for (const other of sessions) {
              await other.applyHistoryTransaction({ operationId, transaction });
            }
            model = [...model, ...each.items];
          }
        }
        expect(await sessions[0]?.getItems()).toEqual(model);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a compaction', () => {
  const compaction: ItemShape = { type: 'compaction', encrypted_content: 'x' };

  it('takes the place of what the run saw; what others added since stays', async () => {
    const place = createMemoryPlace();
    const [session, other] = [await open(place), await open(place)];
    await session.addItems([say('1'), say('2')]);
    await session.getItems();
    await other.addItems([say('of another')]);
    await session.addItems([say('own')]);
    await session.getItems(); // as the SDK does right before it replaces
    await session.replaceHistoryWithCompaction([compaction, say('own')]);
    expect(await other.getItems()).toEqual([compaction, say('own'), say('of another')]);
  });

  it('takes the place of everything where nothing was read', async () => {
    const session = await open();
    await session.addItems([say('1')]);
    await session.replaceHistoryWithCompaction([compaction]);
    expect(await session.getItems()).toEqual([compaction]);
  });

  it('runs when a turn is stored, without a model, and only when it is due', async () => {
    const store = await openStore(memoryBackend());
    const session = createSession<ItemShape>({
      ...{ store, sessionId: 's' },
      compaction: { targetTokens: 3000, tailTokens: 1000 },
    });
    await session.addItems([say('Find the bug in parser.ts')]);
    expect(await session.runCompaction()).toBeNull();
    expect(await session.getItems()).toHaveLength(1);
    for (let step = 0; step < 40; step += 1) {
      const id = `c${String(step)}`;
      const output = `${id} `.repeat(200);
      await session.addItems([call(id), { ...result(id), output }]);
    }
    await session.runCompaction();
    const items = await session.getItems();
    expect(items.length).toBeLessThan(40);
    expect(JSON.stringify(items)).toContain('Find the bug in parser.ts');
    expect(items.at(-1)).toMatchObject({ callId: 'c39' });
    await session.runCompaction();
    expect(await session.getItems()).toEqual(items);
  });
});
