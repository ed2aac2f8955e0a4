import type { Client, ClientBase, ClientConfig, PoolClient } from 'pg';
import { connectionName, NamedClient } from './named-client.ts';

/** How often connections are looked at, ms. */
const lookEveryMs = 200;
/** The server is asked about a connection that has said nothing for so long though it owes an answer, ms; the pause doubles while it works. */
const firstSilenceMs = 500;
const longestPauseMs = 30_000;
/** How long the server may take to answer that, ms. */
const answerMs = 1000;

/** A connection that owes answers. */
interface Owing {
  answers: number;
  /** When it was asked for the first of them, or gave its last; of `performance.now()`. */
  since: number;
  /** When the server is asked about it. */
  askAt: number;
  pauseMs: number;
  /** Whether the server said the last time that it does nothing for it. */
  isSuspect: boolean;
}

/** Looks after connections that have to answer. */
export interface SilenceWatch {
  /** Notes that a connection was asked for an answer. Call what it gives when that came. */
  readonly asked: (client: PoolClient) => () => void;
  readonly end: () => void;
}

/** The number of its process, as the other side gave it; 0 where it gave none. */
export function processOf(client: ClientBase): number {
  const id: unknown = Reflect.get(client, 'processID');
  return typeof id === 'number' ? id : 0;
}

/** Tells whether the server is at work for a connection. */
type IsActive = (client: Client) => boolean;

interface ActivityRow {
  readonly own: number;
  readonly own_name: string;
  readonly pid: number;
  readonly name: string;
}

/** Those at work, and the one that asks. */
const activitySql = `SELECT pg_backend_pid() AS own, current_setting('application_name') AS own_name, pid, application_name AS name
FROM pg_stat_activity WHERE pid = pg_backend_pid() OR (state = 'active' AND (pid = ANY($1) OR application_name = ANY($2)))`;

/** Connections are told apart by their process; behind a pooler, which has numbers of its own, by the names that it passes on. */
function activityIn(rows: readonly ActivityRow[], client: Client): IsActive | undefined {
  const [{ own, own_name: ownName } = { own: 0, own_name: '' }] = rows;
  if (own === processOf(client)) {
    const pids = new Set(rows.map(({ pid }) => pid));
    return (one) => pids.has(processOf(one));
  }
  if (ownName !== connectionName(client)) return undefined;
  const names = new Set(rows.map(({ name }) => name));
  return (one) => names.has(connectionName(one));
}

/**
 * For which of these connections the server is at work; `undefined` where that cannot be known: the server cannot be reached, or
 * something between passes neither numbers nor names on. A pooler lets who waits in line: whoever came before this question was served
 * before it.
 */
async function askServer(
  config: ClientConfig,
  silent: readonly Client[],
): Promise<IsActive | undefined> {
  const limits = { connectionTimeoutMillis: answerMs, query_timeout: answerMs };
  const client = new NamedClient({ ...config, ...limits });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const values = [silent.map(processOf), silent.map(connectionName)];
    const { rows } = await client.query<ActivityRow>(activitySql, values);
    return activityIn(rows, client);
  } catch {
    return undefined;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** From now on it owes its next answer. */
function begin(owing: Owing): void {
  owing.since = performance.now();
  owing.askAt = owing.since + firstSilenceMs;
  owing.pauseMs = firstSilenceMs;
  owing.isSuspect = false;
}

/** Whether a connection that the server was asked about may live: not where it was asked twice and has nothing to do for it. */
function judge(owing: Owing, isActive: boolean): boolean {
  if (!isActive && owing.isSuspect) return false;
  owing.isSuspect = !isActive;
  owing.pauseMs = isActive ? Math.min(longestPauseMs, owing.pauseMs * 2) : lookEveryMs;
  owing.askAt = performance.now() + owing.pauseMs;
  return true;
}

/**
 * Ends connections that hang half open: those that owe an answer although the server is not at work on one. Calls on them fail at once
 * in place of after the statement's whole time, and are then tried again. `onHang` is told of each.
 * A statement that takes long is left alone. Costs nothing while answers come within half a second, then a short connection.
 */
export function watchSilence(config: ClientConfig, onHang: () => void): SilenceWatch {
  const all = new Map<PoolClient, Owing>();
  let isAsking = false;
  const look = async (): Promise<void> => {
    const now = performance.now();
    const silent = [...all].filter(([, { askAt }]) => now >= askAt);
    if (silent.length === 0) return;
    const isAtWork = await askServer(
      config,
      silent.map(([client]) => client),
    );
    for (const [client, owing] of silent) {
      // One that has answered meanwhile owes nothing, or something else.
      if (all.get(client) !== owing || owing.since > now) continue;
      const isActive = isAtWork === undefined || isAtWork(client);
      if (judge(owing, isActive)) continue;
      onHang();
      client.connection.stream.destroy(new Error('Connection terminated: it hung half open'));
    }
  };
  const timer = setInterval(() => {
    if (isAsking || all.size === 0) return;
    isAsking = true;
    void look().finally(() => {
      isAsking = false;
    });
  }, lookEveryMs);
  timer.unref();
  return {
    asked: (client) => {
      const known = all.get(client);
      const owing = known ?? { answers: 0, since: 0, askAt: 0, pauseMs: 0, isSuspect: false };
      if (known === undefined) begin(owing);
      all.set(client, owing);
      owing.answers += 1;
      return () => {
        owing.answers -= 1;
        begin(owing);
        if (owing.answers === 0) all.delete(client);
      };
    },
    end: () => {
      clearInterval(timer);
    },
  };
}
