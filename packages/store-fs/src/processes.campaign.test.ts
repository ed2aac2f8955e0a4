import { describe, expect, it } from 'vitest';
import { openFsStore } from './open-fs-store.ts';
import { startChild } from './test-support/child.ts';
import { freshFolder, openBackend } from './test-support/folder.ts';
import { outputPut, sessionPut } from './test-support/records.ts';

describe('several processes on one folder', () => {
  it('keep all of 400 updates of one session by four of them', { timeout: 60_000 }, async () => {
    const folder = freshFolder();
    const labels = ['a', 'b', 'c', 'd'];
    const children = await Promise.all(
      labels.map((label) => startChild('increment', folder, 100, label)),
    );
    const codes = await Promise.all(children.map((child) => child.ended));
    expect(codes).toEqual([0, 0, 0, 0]);
    const backend = await openBackend(folder);
    const [record] = await backend.get('sessions', [['t', 'shared']]);
    const kept: unknown = JSON.parse(record?.body ?? '');
    const all = labels.flatMap((label) => Array.from({ length: 100 }, (_, at) => `${label}-${at}`));
    expect(kept).toHaveLength(400);
    expect(new Set(Object.values(kept ?? {}))).toEqual(new Set(all));
    expect(record?.version).toBe(400);
  });

  it('number the outputs that four of them save into one session without a gap or a double', {
    timeout: 60_000,
  }, async () => {
    const folder = freshFolder();
    const labels = ['a', 'b', 'c', 'd'];
    const children = await Promise.all(
      labels.map((label) => startChild('save', folder, 10, label)),
    );
    expect(await Promise.all(children.map((child) => child.ended))).toEqual([0, 0, 0, 0]);
    const store = await openFsStore({ path: folder });
    const { entries } = await store.outputs.pointers({ sessionId: 'shared', limit: 100 });
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 40 }, (_, at) => at),
    );
    await store.close();
  });

  it('see what the others have written, in reads, scans, tallies and searches', async () => {
    const folder = freshFolder();
    const [one, two] = [await openBackend(folder), await openBackend(folder)];
    const query = { collection: 'outputs', index: 'by_number', equal: ['t', 's'] };
    expect(await two.search({ ...query, words: ['x1'], limit: 5 })).toEqual([]);
    await one.write([outputPut('x1', 1), outputPut('x2', 2)]);
    expect((await two.get('outputs', [['t', 's', 'x1']]))[0]?.version).toBe(1);
    expect(await two.tally(query)).toEqual([{ group: [], count: 2, sums: [] }]);
    const hits = await two.search({ ...query, words: ['x1'], limit: 5 });
    expect(hits.map((hit) => hit.key)).toEqual([['t', 's', 'x1']]);
    await two.write([{ type: 'delete', collection: 'outputs', key: ['t', 's', 'x1'] }]);
    const left: unknown[] = [];
    for await (const record of one.scan(query)) left.push(record.key);
    expect(left).toEqual([['t', 's', 'x2']]);
  });

  it('go on where one closes while the other writes', async () => {
    const folder = freshFolder();
    const [one, two] = [await openBackend(folder), await openBackend(folder)];
    await one.write([sessionPut('x', 1)]);
    await one.write([{ type: 'delete', collection: 'sessions', key: ['t', 'x'] }]);
    await one.close();
    await two.write([sessionPut('y', 2)]);
    expect((await two.get('sessions', [['t', 'y']]))[0]?.columns).toEqual({ number: 2 });
    await two.close();
    const three = await openBackend(folder);
    expect((await three.get('sessions', [['t', 'y']]))[0]?.columns).toEqual({ number: 2 });
  });

  it('wait for an owner that is blocked but alive, and fail typed when it takes too long', async () => {
    const folder = freshFolder();
    await (await openBackend(folder)).close();
    const child = await startChild('hold', folder, 3_000);
    await child.said(1);
    const hurried = openBackend(folder, { lockTimeoutMs: 50 });
    await expect(hurried).rejects.toMatchObject({ code: 'CTX_STORE_BUSY' });
    const patient = await openBackend(folder);
    await patient.write([sessionPut('mine', 2)]);
    expect(await child.ended).toBe(0);
    const both = await patient.get('sessions', [
      ['t', 'held'],
      ['t', 'mine'],
    ]);
    expect(both.map((record) => record?.columns['number'])).toEqual([1, 2]);
  });

  it('take the lock of a dead owner over at once', async () => {
    const folder = freshFolder();
    const backend = await openBackend(folder, { lockTimeoutMs: 1_000 });
    const child = await startChild('hold', folder, 600_000);
    await child.said(1);
    child.process.kill('SIGKILL');
    await child.ended;
    await backend.write([sessionPut('mine', 2)]);
    const [mine] = await backend.get('sessions', [['t', 'mine']]);
    expect(mine?.columns).toEqual({ number: 2 });
  });
});
