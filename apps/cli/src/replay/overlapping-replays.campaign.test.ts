import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';

// A whole session is replayed three times.
test('replays of the demo that overlap give the figures of one and leave its outputs once', async () => {
  const cwd = makeFolder();
  const path = join(cwd, 'demo.db');
  const replay = () =>
    runOn({ cwd }, 'replay', '--demo', '--json', '--store', `sqlite:${path}`, '--policy', 'none');
  const [first, second] = await Promise.all([replay(), replay()]);
  expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  expect(second.stdout).toBe(first.stdout);
  const again = await replay();
  expect(again.stdout).toBe(first.stdout);
  const store = await openStore(sqliteBackend({ path }));
  onTestFinished(() => store.close());
  const { outputs } = await store.outputs.tally({ sessionId: 'replay-demo' });
  expect(outputs).toBe(136);
  const session = await store.sessions.get('replay-demo');
  expect(session?.document.system_state).toEqual({});
});
