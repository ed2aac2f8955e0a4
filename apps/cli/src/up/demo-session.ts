import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { playRecording } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { ownFile } from '../config/own-file.ts';

/** The recorded session that comes with ctx. */
export const demoPath: string = fileURLToPath(ownFile('demo/session.json'));

/** Plays the session that comes with ctx into a store. A second call does nothing. */
export async function playDemoSession(store: ContextStore): Promise<void> {
  await playRecording(store, await readFile(demoPath), {
    sessionId: 'demo',
    agentId: 'demo-agent',
    title: 'A recorded agent does three chores',
    checkpoint: 'before the last chore',
  });
}
