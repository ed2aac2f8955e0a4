import { spawn } from 'node:child_process';
import { access, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ownerOfServer } from './real-server.ts';

/** PgBouncer in transaction mode before a server. */
export interface Pooler {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Where Debian and others put it. */
const program = '/usr/sbin/pgbouncer';

/** What a skipped test says. */
export const whyNoPooler = 'no PgBouncer: install it';

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

/** Starts one; `undefined` where it is not installed. `ignored`: parameters of a start that it takes and passes over. */
export async function startPooler(url: string, ignored: string): Promise<Pooler | undefined> {
  if (!(await isThere(program))) return undefined;
  const { hostname, port, username, pathname } = new URL(url);
  const database = pathname.slice(1);
  const owner = await ownerOfServer();
  const folder = await mkdtemp(join(tmpdir(), 'ctx-pooler-'));
  const own = await freePort();
  const settings = [
    '[databases]',
    `${database} = host=${hostname} port=${port} dbname=${database} user=${username}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${String(own)}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    `ignore_startup_parameters = ${ignored}`,
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  if (owner.uid !== undefined) {
    for (const path of [folder, file]) await chown(path, owner.uid, owner.gid ?? owner.uid);
  }
  const child = spawn(program, ['-q', file], { ...owner, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while (!(await answers(own))) {
    if (child.exitCode !== null) throw new Error('PgBouncer ended at once');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: `postgres://${username}@127.0.0.1:${String(own)}/${database}`,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
