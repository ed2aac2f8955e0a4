import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { storeTestHelp } from '../postgres/store-test-help.ts';

/** A way to end a machine of the cluster at once and to start it again. */
export interface Crash {
  readonly name: string;
  readonly crash: () => Promise<void>;
}

/** A coordinator with its workers. */
export interface Cluster {
  readonly url: string;
  readonly crashes: readonly Crash[];
  readonly stop: () => Promise<void>;
}

const settings = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_connections=300',
  'max_worker_processes=40',
  'max_wal_senders=20',
  'max_replication_slots=40',
  'citus.shard_count=4',
  'citus.node_conninfo=sslmode=disable',
];

/** Runs one statement. */
export async function query(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const pool = new Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  try {
    return (await pool.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await pool.end();
  }
}

/** Newer servers decode for no library that is not named: without it no tenant gets shards of its own. */
async function allowDecoder(url: string): Promise<void> {
  const name = 'output_plugin_libraries';
  const known = await query(url, 'SELECT 1 FROM pg_settings WHERE name = $1', [name]);
  if (known.length === 0) return;
  await query(url, `ALTER SYSTEM SET ${name} = 'pgoutput', 'test_decoding', 'citus'`);
  await query(url, 'SELECT pg_reload_conf()');
}

/** Makes the first of these servers the coordinator of the others. */
async function join(urls: readonly string[]): Promise<void> {
  const [first = '', ...workers] = urls;
  for (const url of urls) {
    await query(url, 'CREATE EXTENSION citus');
    await allowDecoder(url);
  }
  await query(first, `SELECT citus_set_coordinator_host('127.0.0.1', $1)`, [new URL(first).port]);
  for (const worker of workers) {
    await query(first, `SELECT citus_add_node('127.0.0.1', $1)`, [new URL(worker).port]);
  }
}

/** A coordinator and two workers from local binaries, which have Citus. */
export async function ownCluster(): Promise<Cluster> {
  const { startLocal, binaryFolder } = await storeTestHelp();
  const binaries = await binaryFolder();
  if (binaries === undefined) throw new Error('no binaries of PostgreSQL are here: give --url');
  const more = (): Promise<string> => Promise.resolve(settings.map((one) => `-c ${one}`).join(' '));
  const names = ['the coordinator', 'a worker', 'the other worker'];
  const machines = await Promise.all(names.map(() => startLocal(binaries, more)));
  const urls = machines.map((machine) => machine.url);
  const crashes = machines.map(({ crash }, at) => ({
    name: `${names[at] ?? ''} stopped at once`,
    crash: async () => {
      await crash?.();
    },
  }));
  const stop = async (): Promise<void> => {
    for (const machine of machines) await machine.stop();
  };
  try {
    await join(urls);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urls[0] ?? '', crashes, stop };
}

/** An existing cluster. `commands` are shell commands that stop and start one of its machines. */
export function givenCluster(url: string, commands: readonly string[]): Cluster {
  const crashes = commands.map((command) => ({
    name: command,
    crash: async () => {
      const child = spawn(command, { shell: true, stdio: 'ignore' });
      await once(child, 'exit');
      if (child.exitCode !== 0) throw new Error(`${command} ended with ${String(child.exitCode)}`);
    },
  }));
  return { url, crashes, stop: () => Promise.resolve() };
}

/** Lets the workers end the connections, or cancel the statements, that are at work on them, again and again for about two seconds. */
export async function interruptWorkers(url: string, how: 'terminate' | 'cancel'): Promise<void> {
  const interrupt = `SELECT count(pg_${how}_backend(pid)) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`;
  for (let times = 0; times < 40; times += 1) {
    await query(url, 'SELECT run_command_on_workers($1)', [interrupt]);
    await sleep(50);
  }
}

/** Takes all shards from one worker, and gives it its share again. Gives how often a shard was moved. */
export async function moveShards(url: string): Promise<number> {
  const nodes = await query(
    url,
    `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 AND isactive ORDER BY nodeport LIMIT 1`,
  );
  const node = [nodes[0]?.['host'], nodes[0]?.['port']];
  const placed = `SELECT shardid, nodeport FROM pg_dist_shard_placement WHERE shardid IN (SELECT shardid FROM pg_dist_shard)`;
  const count = async (before: readonly Record<string, unknown>[]): Promise<number> => {
    const old = new Set(before.map((row) => JSON.stringify(row)));
    return (await query(url, placed)).filter((row) => !old.has(JSON.stringify(row))).length;
  };
  const first = await query(url, placed);
  const mayHold = `SELECT citus_set_node_property($1, $2, 'shouldhaveshards', $3)`;
  await query(url, mayHold, [...node, false]);
  await query(url, `SELECT rebalance_table_shards(drain_only => true)`);
  const away = await count(first);
  const second = await query(url, placed);
  await query(url, mayHold, [...node, true]);
  await query(url, `SELECT rebalance_table_shards()`);
  return away + (await count(second));
}

/**
 * Gives a tenant shards of its own; its writes wait meanwhile. The other way, which Citus takes unless told, did not end once in four
 * times: "publisher did not send replica identity column expected by the logical replication target relation".
 */
export async function isolateTenant(url: string, schema: string, tenant: string): Promise<void> {
  const sql = `SELECT isolate_tenant_to_new_shard($1::regclass, $2::text, 'CASCADE', 'block_writes')`;
  await query(url, sql, [`"${schema}".items`, tenant]);
}
