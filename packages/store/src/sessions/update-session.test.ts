import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';
import { updateSession } from './update-session.ts';

describe('updateSession', () => {
  it('loses none of a hundred updates that were made at once', async () => {
    const store = await openStore(memoryBackend());
    const learn = (index: number) =>
      updateSession(store, 's', (session) => {
        const { document } = session;
        const facts = [...document.facts, `fact ${String(index)}`];
        return { ...session, document: { ...document, facts } };
      });
    await Promise.all(Array.from({ length: 100 }, (_, index) => learn(index)));
    const session = await store.sessions.get('s');
    expect(session?.version).toBe(100);
    expect(new Set(session?.document.facts).size).toBe(100);
  });
});
