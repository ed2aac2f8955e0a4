import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { openTenants } from '@ctx/server/records';
import { sqliteBackend } from '@ctx/store-sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type BinRun, makeTestHome } from '../test-support/run-bin.ts';

// Real processes are started; a busy machine takes its time.
interface Up {
  readonly url: string;
  readonly key: string;
  readonly path: string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<BinRun>;
}

/** Starts `ctx up` as a process of its own. */
async function startUp(): Promise<Up> {
  const home = makeTestHome();
  const path = join(home.folder, 'store.db');
  let tell: (up: Pick<Up, 'url' | 'key' | 'kill'>) => void = () => undefined;
  const started = new Promise<Pick<Up, 'url' | 'key' | 'kill'>>((resolve) => {
    tell = resolve;
  });
  const ended = home.run(['up', '--port', '0', '--json', '--store', `sqlite:${path}`], {
    onOutput: (text, kill) => {
      const url = /"url": ?"([^"]+)"/.exec(text)?.[1];
      const keyFile = /"keyFile": ?"([^"]+)"/.exec(text)?.[1];
      if (url === undefined || keyFile === undefined) return;
      tell({ url, key: readFileSync(keyFile, 'utf8').trim(), kill });
    },
  });
  onTestFinished(async () => {
    const { kill } = await started;
    kill('SIGKILL');
    await ended;
    home.remove();
  });
  return { ...(await started), path, ended };
}

/** How a request ended; `dropped` is one whose answer was owed, `put off` one that a busy server asked to come again. */
type Outcome = 'answered' | 'put off' | 'not let in' | 'dropped';

const outcomeOf: Readonly<Record<number, Outcome>> = { 200: 'answered', 503: 'put off' };

/** Sends one save over a connection that is kept. */
function save({ url, key }: Up, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const address = `${url}/api/agents/a/context/save`;
    const sent = request(address, { method: 'POST', headers, agent }, (response) => {
      response.resume();
      response.on('end', () => {
        resolve(outcomeOf[response.statusCode ?? 0] ?? 'dropped');
      });
      response.on('error', () => {
        resolve('dropped');
      });
    });
    sent.on('error', (error) => {
      const isRefused = 'code' in error && error.code === 'ECONNREFUSED';
      resolve(isRefused ? 'not let in' : 'dropped');
    });
    sent.end('{"item_type":"TASK","content":"x"}');
  });
}

const clients = 16;

describe('ctx up that is told to stop by SIGTERM', () => {
  it('answers every request that it took, keeps every save, and ends with 0 (R13)', async () => {
    const up = await startUp();
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const outcomes: Outcome[] = [];
    const answered = (): number => outcomes.filter((outcome) => outcome === 'answered').length;
    let isTold = false;
    // Every client is in before the load begins: who knocks as the door is closed is not let in.
    outcomes.push(...(await Promise.all(Array.from({ length: clients }, () => save(up, agent)))));
    const work = async (): Promise<void> => {
      for (let last: Outcome = 'answered'; last === 'answered' || last === 'put off'; ) {
        last = await save(up, agent);
        outcomes.push(last);
        if (isTold || answered() < 150) continue;
        isTold = true;
        up.kill('SIGTERM');
      }
    };
    await Promise.all(Array.from({ length: clients }, work));
    const { exitCode } = await up.ended;
    agent.destroy();
    expect(exitCode).toBe(0);
    expect(outcomes.filter((outcome) => outcome === 'dropped')).toEqual([]);
    expect(answered()).toBeGreaterThanOrEqual(150);
    const stores = await openTenants(sqliteBackend({ path: up.path }));
    const { items } = await (await stores.store('default')).items.stats('a');
    const { newest } = await stores.liveLog('default').bounds();
    expect([items, newest]).toEqual([answered(), answered()]);
    await stores.close();
  });

  it('ends at once where it is told twice', async () => {
    const up = await startUp();
    // A request that never comes to its end keeps the first stop waiting.
    const slow = request(`${up.url}/v1/outputs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${up.key}`,
        'content-type': 'application/json',
        'content-length': '1000',
      },
    });
    slow.on('error', () => undefined);
    slow.write('{');
    expect(await save(up, new Agent())).toBe('answered');
    up.kill('SIGTERM');
    for (let last: Outcome = 'answered'; last !== 'not let in'; ) {
      last = await save(up, new Agent());
    }
    up.kill('SIGTERM');
    const { exitCode } = await up.ended;
    expect(exitCode).toBe(143);
  });
});
