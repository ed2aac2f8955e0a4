import { spawn } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL server for tests. */
export interface RealServer {
  readonly url: string;
  /** Ends it as a crash would, and starts it again on the same data. Absent where the server is not ours. */
  readonly crash?: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Where Debian and others put what `initdb` belongs to, the newest last. */
export async function binaryFolder(): Promise<string | undefined> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const newest = versions.toSorted((left, right) => Number(left) - Number(right)).at(-1);
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

/** Who runs the server. */
export interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** Runs a program to its end, and gives what it printed. */
export async function run(
  command: string,
  args: readonly string[],
  owner: Owner = {},
): Promise<string> {
  const child = spawn(command, args, { ...owner, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}: ${said}`);
  return said;
}

/** The server refuses to run as root: then it runs as the user that the package made for it. */
export async function ownerOfServer(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all([
    run('id', ['-u', 'postgres']),
    run('id', ['-g', 'postgres']),
  ]);
  return { uid: Number(uid), gid: Number(gid) };
}

/** A port that nobody listens at. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}

/** What a server is started with beside what all are. */
interface ServerSettings {
  readonly owner: Owner;
  readonly folder: string;
}

/** Starts a server from its binaries. `prepare` gives further settings, once there is a folder. */
export async function startLocal(
  binaries: string,
  prepare: (place: ServerSettings) => Promise<string> = () => Promise.resolve(''),
): Promise<RealServer> {
  const owner = await ownerOfServer();
  const folder = await mkdtemp(join(tmpdir(), 'ctx-postgres-'));
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? owner.uid);
  const data = join(folder, 'data');
  const port = await freePort();
  const control = (args: readonly string[]): Promise<string> =>
    run(join(binaries, 'pg_ctl'), ['-D', data, '-w', ...args], owner);
  const more = await prepare({ owner, folder });
  const settings = `-p ${String(port)} -k ${folder} -c listen_addresses=127.0.0.1 ${more}`;
  const start = (): Promise<string> =>
    control(['-o', settings, '-l', join(folder, 'log'), 'start']);
  await run(
    join(binaries, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'ctx', '-E', 'UTF8', '--no-locale'],
    owner,
  );
  await start();
  return {
    url: `postgres://ctx@127.0.0.1:${String(port)}/postgres`,
    crash: async () => {
      await control(['-m', 'immediate', 'stop']);
      await start();
    },
    stop: async () => {
      await control(['-m', 'immediate', 'stop']).catch(() => '');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The server of `CTX_TEST_POSTGRES`, else one that is started from local binaries; `undefined` where there is neither. `isOwn`: one
 * that may be ended and started again is preferred.
 */
export async function realServer(isOwn = false): Promise<RealServer | undefined> {
  const url = process.env['CTX_TEST_POSTGRES'] ?? '';
  const isGiven = url !== '' && !(isOwn && (await binaryFolder()) !== undefined);
  if (isGiven) return { url, stop: () => Promise.resolve() };
  const binaries = await binaryFolder();
  if (binaries === undefined) return undefined;
  try {
    return await startLocal(binaries);
  } catch (error) {
    if (process.env['CTX_NEEDS_POSTGRES'] === '1') throw error;
    return undefined;
  }
}

/** What a skipped test says. */
export const whyNoServer = 'no PostgreSQL: give one as CTX_TEST_POSTGRES, or install it';
