import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteBackend } from '@ctx/store-sqlite';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openLive } from '../test-support/live-client.ts';
import { startServer } from '../test-support/start-server.ts';

describe('fifty WebSockets over twenty reconnects', () => {
  it('lose no event and get none twice, while two processes write', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ctx-live-'));
    const path = join(folder, 'ctx.db');
    const one = await startServer({ backend: sqliteBackend({ path }) });
    const two = await startServer({ backend: sqliteBackend({ path }) });
    const text = await one.key('read');
    const total = 400;
    const taken = Array.from({ length: 50 }, (): number[] => []);
    const writing = (async () => {
      for (let count = 0; count < total; count += 2) {
        const item = { agentId: 'a', kind: 'TASK', content: String(count) };
        const stores = await Promise.all([
          one.stores.store('default'),
          two.stores.store('default'),
        ]);
        await Promise.all(stores.map((store) => store.items.save(item)));
      }
    })();
    const codes: number[] = [];
    const readAll = async (sequences: number[], number: number): Promise<void> => {
      for (let connection = 0; connection <= 20 || sequences.length < total; connection += 1) {
        // Each time at the other server: the log is the same.
        const { port } = (number + connection) % 2 === 0 ? one : two;
        const client = openLive({ key: text, since: sequences.at(-1) ?? 0 }, { port });
        const wanted = connection >= 20 ? total : Math.min(total, (connection + 1) * 19);
        const has = (): number => sequences.length + client.sequences().length;
        // A busy machine may close a connection: the reader reconnects.
        const isOver = (): boolean => client.socket.readyState === WebSocket.CLOSED;
        await client.until(() => has() >= wanted || isOver());
        // Cut off in the middle of whatever is under way.
        client.socket.terminate();
        const { code } = await client.ended;
        if (code !== 1006) codes.push(code);
        sequences.push(...client.sequences());
      }
    };
    await Promise.all([...taken.map(readAll), writing]);
    expect(codes).toEqual([]);
    const all = Array.from({ length: total }, (_, index) => index + 1);
    for (const sequences of taken) expect(sequences).toEqual(all);
    await one.stop();
    await two.stop();
    await rm(folder, { recursive: true });
  });
});
