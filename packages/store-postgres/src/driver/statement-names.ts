import type { Pool, PoolClient } from 'pg';
import { processOf } from './stalled-connections.ts';

/** So many statements have a name: the server keeps a plan for each on every connection. */
const mostNames = 100;

/**
 * Gives statements that are sent again and again names by which the server knows them: it then reads and plans them once for each
 * connection. One name for one text, as long as the process lives; beyond {@link mostNames} texts there are none.
 */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostNames) return known;
    const name = `ctx_${String(names.size)}`;
    names.set(text, name);
    return name;
  };
}

/** The name of a statement on a connection; `undefined` where the server may not keep its plan. */
export type NameOf = (client: PoolClient, text: string) => string | undefined;

/**
 * Names statements on connections that lead to one process of the server and stay with it. A pooler gives each transaction to
 * another one, which knows no name; it is told by the number of its process, which is not that of the server's.
 */
export function namesOnDirect(pool: Pool): NameOf {
  const direct = new WeakSet<PoolClient>();
  const nameOf = statementNames();
  pool.on('connect', (client) => {
    // Sent ahead of what the connection is wanted for: the answer is not awaited.
    client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid').then(
      ({ rows: [row] }) => {
        if (row?.pid === processOf(client)) direct.add(client);
      },
      () => undefined,
    );
  });
  return (client, text) => (direct.has(client) ? nameOf(text) : undefined);
}
