import { join } from 'node:path';
import { createClient } from '@ctx/server/client';
import { openTenants } from '@ctx/server/records';
import { sqliteBackend } from '@ctx/store-sqlite';
import { makeTestHome, type TestHome } from '../../../../cli/src/test-support/run-bin.ts';

/** The server as a user has it: `ctx up`, a process of its own over a SQLite file. */
export interface CtxUp {
  /** As it was printed, with the key. */
  readonly address: string;
  readonly url: string;
  readonly client: ReturnType<typeof createClient>;
  /** The same file, opened by this process: the server sees in its log alone what is written here. */
  readonly other: Awaited<ReturnType<typeof openTenants>>;
  readonly home: TestHome;
  /** For a command that is to use the same store. */
  readonly storeUrl: string;
  /** Ends the process; `start` begins another at the same port. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Running {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/**
 * Resolves when it has printed its address.
 * @throws what it said, where it ends before.
 */
function startUp(home: TestHome, args: readonly string[]): Promise<Running> {
  return new Promise((resolve, reject) => {
    let end = (): void => undefined;
    const ended = home.run(['up', ...args], {
      onOutput: (text, kill) => {
        end = () => {
          kill('SIGTERM');
        };
        const address = /^http:\/\/\S+#key=\S+/m.exec(text)?.[0];
        // The line after it is written when everything is there.
        if (address === undefined || !text.includes('The key is kept in')) return;
        const stop = async (): Promise<void> => {
          end();
          await ended;
        };
        resolve({ address, stop });
      },
    });
    ended.then(({ stderr }) => {
      reject(new TypeError(stderr));
    }, reject);
  });
}

/** What the server is started with. */
export interface CtxUpOptions {
  /** With the recorded session. */
  readonly isDemo: boolean;
  /** More words of the command. */
  readonly more?: readonly string[];
}

/** Starts the server. */
export async function startCtxUp({ isDemo, more = [] }: CtxUpOptions): Promise<CtxUp> {
  const home = makeTestHome();
  const path = join(home.folder, 'store.db');
  const storeUrl = `sqlite:${path}`;
  const words = [...(isDemo ? ['--demo'] : []), ...more];
  let running = await startUp(home, ['--port', '0', '--store', storeUrl, ...words]);
  const { address } = running;
  const { origin, hash, port } = new URL(address);
  const other = await openTenants(sqliteBackend({ path }), {});
  const stop = (): Promise<void> => running.stop();
  return {
    address,
    url: origin,
    client: createClient({ url: origin, key: hash.slice('#key='.length) }),
    other,
    home,
    storeUrl,
    stop,
    start: async () => {
      running = await startUp(home, ['--port', port, '--store', storeUrl]);
    },
    close: async () => {
      await other.close();
      await stop();
      home.remove();
    },
  };
}
