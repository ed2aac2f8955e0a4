import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { createMemory } from '../create-memory.ts';

/** Returns what a memory holds for true after a user said all of this, one after the other. */
export async function heldAfter(said: readonly string[]): Promise<string[]> {
  const memory = createMemory(await openStore(memoryBackend()), { scope: { user: 'ada' } });
  for (const [from, text] of said.entries()) {
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
    await memory.observe([message], { sessionId: 's', from, saidAt: 1.7e12 + from * 1e6 });
  }
  const { entries } = await memory.list({ limit: 100 });
  return entries.filter(({ validTo }) => validTo === undefined).map(({ text }) => `${text}.`);
}
