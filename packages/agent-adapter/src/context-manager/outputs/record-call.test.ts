import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createContextManager } from '../create-context-manager.ts';

const call = { id: 'c1', name: 'Bash', input: { command: 'ls' } };

async function stored(store: ContextStore): Promise<number> {
  return (await store.outputs.tally({ sessionId: 's' })).outputs;
}

describe('recording a result with a signal', () => {
  it('stores nothing and says so where it was aborted before, and is no degradation', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const told: unknown[] = [];
    manager.on('degraded', (degraded) => told.push(degraded));
    const signal = AbortSignal.abort('the user left');
    await expect(manager.recordToolOutput(call, 'a result', { signal })).rejects.toMatchObject({
      code: 'CTX_ABORTED',
      cause: 'the user left',
    });
    expect(await stored(store)).toBe(0);
    expect(told).toEqual([]);
  });

  it('leaves the next recording of the same call alone', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const aborted = manager.recordToolOutput(call, 'a result', { signal: AbortSignal.abort() });
    const next = manager.recordToolOutput(call, 'a result', {
      signal: new AbortController().signal,
    });
    await expect(aborted).rejects.toMatchObject({ code: 'CTX_ABORTED' });
    expect(await next).toMatchObject({ content: 'a result', offloaded: false, repeated: false });
    expect(await stored(store)).toBe(1);
  });

  it('is as without one where it comes after the result was stored', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    const controller = new AbortController();
    const { signal } = controller;
    const recorded = await manager.recordToolOutput(call, 'a result', { signal });
    controller.abort();
    expect(recorded.content).toBe('a result');
    expect(await stored(store)).toBe(1);
  });
});

describe('recording a result', () => {
  it('makes its text once on the way to the store: it is read for that and for what is stored', async () => {
    const store = await openStore(memoryBackend());
    const manager = createContextManager({ store, sessionId: 's' });
    let reads = 0;
    const result = {
      get found() {
        reads += 1;
        return 'a line';
      },
    };
    const recorded = await manager.recordToolOutput(call, result);
    expect(recorded).toMatchObject({ content: '{\n  "found": "a line"\n}', isUnchanged: true });
    expect(reads).toBe(2);
  });
});
