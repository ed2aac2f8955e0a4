import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';

/** Another process that writes to the file. */
export interface SecondWriter {
  /** Ends it and says how many items it has saved. */
  stop(): Promise<number>;
}

/** What the other process does: saves items of an agent of its own, one each `pauseMs`, until it is told to stop. */
export async function writeUntilTold(path: string, pauseMs: number): Promise<void> {
  const store = await openStore(sqliteBackend({ path }));
  const told = new AbortController();
  process.once('message', () => {
    told.abort();
  });
  let saves = 0;
  const input = { agentId: 'another', kind: 'CODE', source: 'assistant' };
  while (!told.signal.aborted) {
    await store.items.save({ ...input, content: `text ${String(saves)} of the other process` });
    saves += 1;
    if (saves === 1) process.send?.('ready');
    await sleep(pauseMs);
  }
  await store.close();
  process.send?.(saves);
  process.disconnect();
}

/** Starts `program` as another process, and waits until it has written. */
export async function startSecondWriter(
  program: string,
  args: readonly string[],
): Promise<SecondWriter> {
  const child = fork(program, [...args]);
  const answer = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('error', reject);
    });
  await answer();
  return {
    stop: async () => {
      const saves = answer();
      child.send('stop');
      return Number(await saves);
    },
  };
}
