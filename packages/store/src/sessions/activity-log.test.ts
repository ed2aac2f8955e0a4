import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';
import { activityBatch, createActivityLog } from './activity-log.ts';
import { emptySessionDocument, type SessionDocument } from './session-document.ts';

/** Keeps documents in a map and counts the writes. */
function place() {
  const documents = new Map<string, SessionDocument>();
  let writes = 0;
  let fails = false;
  return {
    documents,
    writes: () => writes,
    failing: (now: boolean) => {
      fails = now;
    },
    change: async (id: string, work: (document: SessionDocument) => SessionDocument) => {
      await Promise.resolve();
      if (fails) throw new Error('disk full');
      writes += 1;
      documents.set(id, work(documents.get(id) ?? emptySessionDocument(id)));
    },
  };
}

describe('the activity log', () => {
  it('writes many observations at once', async () => {
    const { documents, writes, change } = place();
    const log = createActivityLog(change);
    for (let call = 0; call < 10; call += 1) {
      log.observe('s', { toolCall: { tool: call % 2 === 0 ? 'read' : 'echo' } });
    }
    log.observe('s', { usage: { input: 5, output: 2 } });
    expect(writes()).toBe(0);
    await log.flush();
    expect(writes()).toBe(1);
    expect(documents.get('s')).toMatchObject({
      tool_stats: { total_calls: 10, by_tool: { read: 5, echo: 5 } },
      token_usage: { by_session: 7 },
    });
    await log.flush();
    expect(writes()).toBe(1);
  });

  it('writes the first observation of a session at once, so that it is listed though its process ends early', async () => {
    const { documents, change } = place();
    const log = createActivityLog(change);
    log.observe('s', { toolCall: { tool: 't' } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(documents.get('s')?.tool_stats.total_calls).toBe(1);
  });

  it('writes by itself once a batch is full, about once a batch', async () => {
    const { documents, writes, change } = place();
    const log = createActivityLog(change);
    for (let call = 0; call < 3 * activityBatch; call += 1) {
      log.observe('s', { toolCall: { tool: 't' } });
      await Promise.resolve();
    }
    await log.flush('s');
    expect(documents.get('s')?.tool_stats.total_calls).toBe(3 * activityBatch);
    expect(writes()).toBeLessThanOrEqual(4);
  });

  it('keeps what could not be written and writes it the next time', async () => {
    const { documents, change, failing } = place();
    const log = createActivityLog(change);
    log.observe('s', { toolCall: { tool: 't', failures: 1 } });
    failing(true);
    await expect(log.flush()).rejects.toThrow('disk full');
    log.observe('s', { toolCall: { tool: 't' } });
    failing(false);
    await log.flush();
    expect(documents.get('s')?.tool_stats).toEqual({
      total_calls: 2,
      by_tool: { t: 2 },
      failures: 1,
    });
  });

  it('is written when the store is closed, and not after the session was deleted', async () => {
    const backend = memoryBackend();
    const store = await openStore({ ...backend, close: () => Promise.resolve() });
    store.sessions.observe('kept', { toolCall: { tool: 't' } });
    store.sessions.observe('gone', { toolCall: { tool: 't' } });
    await store.sessions.delete('gone');
    await store.close();
    const records = await backend.get('sessions', [
      ['default', 'kept'],
      ['default', 'gone'],
    ]);
    expect(records.map((record) => record?.version)).toEqual([1, undefined]);
  });
});
