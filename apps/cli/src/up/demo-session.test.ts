import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { playDemoSession } from './demo-session.ts';

/** The lines below a heading. */
function partOf(summary: string, heading: string): string[] {
  const from = summary.split(`${heading}\n`)[1] ?? '';
  return (from.split('\n## ')[0] ?? '').split('\n');
}

test('the summary of the demo takes no line of code that a tool returned for a wish of the user', async () => {
  const store = await openStore(memoryBackend());
  await playDemoSession(store);
  const summary = (await store.sessions.get('demo'))?.document.long_term_summary ?? '';
  const wishes = partOf(summary, '## Constraints and preferences');
  expect(wishes.join('')).not.toBe('');
  expect(wishes.filter((wish) => /^(?:\/\*\*|\* |import |export |expect\()/.test(wish))).toEqual(
    [],
  );
  await store.close();
});
