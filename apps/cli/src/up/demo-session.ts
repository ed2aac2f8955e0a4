import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { playRecording } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';

const demoFile = fileURLToPath(new URL('../../demo/session.json', import.meta.url));

/** Plays the session that comes with ctx into a store. A second call does nothing. */
export async function playDemoSession(store: ContextStore): Promise<void> {
  await playRecording(store, await readFile(demoFile), {
    sessionId: 'demo',
    agentId: 'demo-agent',
    title: 'A recorded agent does three chores',
    checkpoint: 'before the last chore',
  });
}
