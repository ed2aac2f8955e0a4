import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultImportancePolicy, tierBorder } from '@ctx/core';
import type { ItemInput } from '@ctx/store';
import { openSqliteStore } from '@ctx/store-sqlite';
import { DatabaseSync } from '@photostructure/sqlite';

/** Milliseconds by the clock, and of the processor: on a busy machine the second is the work. */
export interface Duration {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** One thing beside the same in hand-written SQL on a copy of the same file. */
export interface Compared {
  readonly ctx: Duration;
  readonly raw: Duration;
  /** Of the processor's time. */
  readonly ratio: number;
}

const agentId = 'agent';
const now = Date.UTC(2026, 5, 4);
const earlier = now - 3 * 86_400_000;
/** All time counts, so that what rested for three days is cold though its agent did nothing meanwhile. */
const importance = { pauseMs: Number.POSITIVE_INFINITY };
const kinds = ['CODE', 'ERROR', 'TASK', 'TEST_RESULT', 'PRD_SECTION'];

const files = (path: string): string[] => [path, `${path}-wal`, `${path}-shm`];

function copyStore(from: string, to: string): void {
  for (const file of files(to)) rmSync(file, { force: true });
  copyFileSync(from, to);
}

/** Makes a store with so many items, of which a share was not touched for three days and is cold. */
export async function makeStore(path: string, items: number, coldShare: number): Promise<void> {
  let at = earlier;
  const store = await openSqliteStore({ path, clock: () => at, importance });
  const input = (index: number): ItemInput => ({
    agentId,
    id: `item ${String(index)}`,
    kind: kinds[index % kinds.length] ?? 'CODE',
    content: `content of item ${String(index)}`,
    source: 'assistant',
    sessionId: 'session',
  });
  for (let from = 0; from < items; from += 1000) {
    if (from >= items * coldShare) at = now - 120_000;
    const count = Math.min(1000, items - from);
    await store.items.saveMany(Array.from({ length: count }, (_, index) => input(from + index)));
  }
  // Words that wait are taken in now, not while something is timed.
  await store.items.search(agentId, { text: 'content', limit: 1, peek: true });
  await store.close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

async function timed(work: () => unknown): Promise<Duration> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}

/** The middle one of several runs, each by its own time. */
function middle(runs: readonly Duration[]): Duration {
  const of = (name: keyof Duration): number =>
    runs.map((run) => run[name]).toSorted((a, b) => a - b)[runs.length >> 1] ?? Number.NaN;
  return { wallMs: of('wallMs'), cpuMs: of('cpuMs') };
}

function compared(ctx: readonly Duration[], raw: readonly Duration[]): Compared {
  const [left, right] = [middle(ctx), middle(raw)];
  return { ctx: left, raw: right, ratio: left.cpuMs / right.cpuMs };
}

/** A flash save by hand: read the items, write them down as JSON, mark what is cold, all in one transaction. */
function rawFlashSave(path: string): Promise<Duration> {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA secure_delete = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000');
  database.exec('CREATE TABLE raw_checkpoints (body TEXT NOT NULL)');
  const where = `tenant = 'default' AND agent_id = '${agentId}' AND archived = 0`;
  const select = database.prepare(
    `SELECT item_id, kind, rank, access_count, created_at, last_accessed_at, pinned, fingerprint, tokens, updated_at, ranked_at,
      finished_at, weight, source, trust, session_id FROM items WHERE ${where} ORDER BY rank DESC`,
  );
  // Lists take half as long as objects.
  select.setReturnArrays(true);
  const insert = database.prepare('INSERT INTO raw_checkpoints VALUES (?)');
  const update = database.prepare(
    `UPDATE items SET archived = 1, ranked_at = ? WHERE ${where} AND rank < ?`,
  );
  return timed(() => {
    database.exec('BEGIN IMMEDIATE');
    insert.run(JSON.stringify(select.all()));
    update.run(now, tierBorder('warm', now, defaultImportancePolicy));
    database.exec('COMMIT');
  }).finally(() => {
    database.close();
  });
}

/** Saves in a flash, so many times anew, beside raw SQL in turn. */
export async function timeFlashSaves(
  folder: string,
  { items, coldShare, rounds }: { items: number; coldShare: number; rounds: number },
): Promise<Compared> {
  const base = join(folder, `base-${String(coldShare)}.db`);
  await makeStore(base, items, coldShare);
  const path = join(folder, 'save.db');
  const [ctx, raw]: [Duration[], Duration[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    copyStore(base, path);
    const store = await openSqliteStore({ path, clock: () => now, importance });
    await store.items.stats(agentId);
    ctx.push(
      await timed(async () => {
        const plan = await store.checkpoints.planFlashSave({ agentId });
        const { state, archive } = plan;
        await store.checkpoints.commit({ state, archive, trigger: 'limit' });
        if (archive !== items * coldShare) throw new Error('not all was archived');
      }),
    );
    await store.close();
    copyStore(base, path);
    raw.push(await rawFlashSave(path));
  }
  return compared(ctx, raw);
}

/** The items that changed, by hand: those saved since, each looked up in a map of what was known. */
function rawDiff(
  database: InstanceType<typeof DatabaseSync>,
  known: ReadonlyMap<string, string>,
): number {
  const rows: readonly unknown[] = database
    .prepare(
      `SELECT item_id, fingerprint, rank, archived FROM items
        WHERE tenant = 'default' AND agent_id = '${agentId}' AND updated_at >= ?`,
    )
    .all(now - 1000);
  let changed = 0;
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || !('item_id' in row)) continue;
    const { item_id: id } = row;
    if ('fingerprint' in row && known.get(String(id)) !== row.fingerprint) changed += 1;
  }
  return changed;
}

/** What 100 changes among the items cost to find: with the manifest at hand, and with one that has to be read first. */
export async function timeDiffs(
  folder: string,
  { items, rounds }: { items: number; rounds: number },
): Promise<{ readonly atHand: Compared; readonly fromStore: Duration }> {
  const path = join(folder, 'diff.db');
  await makeStore(path, items, 0);
  let at = now;
  const store = await openSqliteStore({ path, clock: () => at, importance });
  const { state, archive } = await store.checkpoints.planFlashSave({ agentId });
  const { checkpoint } = await store.checkpoints.commit({ state, archive, trigger: 'limit' });
  const checkpointId = checkpoint.id;
  const known = new Map(state.items.list().map(({ item }) => [item.id, item.fingerprint]));
  at = now + 60_000;
  const inputs = Array.from({ length: 100 }, (_, index) => ({
    agentId,
    id: `item ${String(index * 7)}`,
    kind: 'TASK',
    content: `other content of ${String(index)}`,
  }));
  await store.items.saveMany(inputs);
  const other = await openSqliteStore({ path, clock: () => at, importance });
  const fromStore = await timed(() => other.checkpoints.diffSince({ checkpointId }));
  await other.close();
  const database = new DatabaseSync(path);
  const [ctx, raw]: [Duration[], Duration[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ctx.push(
      await timed(async () => {
        const diff = await store.checkpoints.diffSince({ checkpointId });
        if (diff.changed.length !== 100 || diff.read !== 'changes')
          throw new Error('a diff is off');
      }),
    );
    raw.push(
      await timed(() => {
        if (rawDiff(database, known) !== 100) throw new Error('a raw diff is off');
      }),
    );
  }
  database.close();
  await store.close();
  return { atHand: compared(ctx, raw), fromStore };
}
