import { createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { realServer, whyNoServer } from '../test-support/real-server.ts';
import { pgDriver } from './pg-driver.ts';
import { pgListener } from './pg-listener.ts';

const server = await realServer(true);
const url = server?.url ?? '';

afterAll(async () => {
  await server?.stop();
});

/** Keeps what was heard, and waits for it. */
function createEars(channel: string) {
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const hear = (what: string): void => {
    heard.push(what);
    for (const look of waiting) look();
  };
  return {
    heard,
    listening: {
      channel,
      onMessage: hear,
      onGap: () => {
        hear('gap');
      },
    },
    until: (what: string) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (heard.includes(what)) resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

const endListeners = `SELECT count(pg_terminate_backend(pid)) AS n FROM pg_stat_activity WHERE application_name = 'ctx listener'`;

describe.skipIf(server === undefined)(
  `the listener${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    const driver = pgDriver(url, { maxConnections: 1 });
    const say = async (channel: string, text: string): Promise<void> => {
      await driver.query('SELECT pg_notify($1, $2)', [channel, text]);
    };
    afterAll(async () => {
      await driver.close();
    });

    it('hears its channel alone, from the moment it is there', async () => {
      const { heard, listening, until } = createEars('Mine "quoted"');
      const stop = await pgListener({ connectionString: url }, listening);
      await say('other', 'not for you');
      await say('Mine "quoted"', 'one');
      await until('one');
      stop();
      expect(heard).toEqual(['one']);
    });

    it('comes back, tells of the gap, and hears again, as often as its connection is ended', async () => {
      const { heard, listening, until } = createEars('again');
      const stop = await pgListener({ connectionString: url }, listening);
      for (const round of ['first', 'second', 'third']) {
        heard.length = 0;
        expect(await driver.query(endListeners)).toEqual([{ n: 1 }]);
        await until('gap');
        await say('again', round);
        await until(round);
        expect(heard).toEqual(['gap', round]);
      }
      stop();
    });

    it('comes back behind a crash of the server', async () => {
      if (server?.crash === undefined) return;
      const { listening, until } = createEars('crash');
      const stop = await pgListener({ connectionString: url }, listening);
      await server.crash();
      await until('gap');
      await say('crash', 'after');
      await until('after');
      stop();
    }, 60_000);
  },
);

it('goes on trying where the first try is refused, and stops when told to', async () => {
  const tries: (() => void)[] = [];
  const refusing = createServer((socket) => {
    socket.destroy();
    tries.shift()?.();
  });
  await new Promise<void>((resolve) => {
    refusing.listen(0, '127.0.0.1', resolve);
  });
  const address = refusing.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const third = new Promise<void>((resolve) => {
    tries.push(
      () => undefined,
      () => undefined,
      resolve,
    );
  });
  const { heard, listening } = createEars('never');
  const stop = await pgListener({ host: '127.0.0.1', port, user: 'ctx' }, listening);
  await third;
  stop();
  expect(heard).toEqual([]);
  refusing.close();
});
