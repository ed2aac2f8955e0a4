import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { createMemory } from './create-memory.ts';

/** What a memory holds for true after these were added, one after the other. */
async function heldAfter(...texts: readonly string[]): Promise<string[]> {
  const memory = createMemory(await openStore(memoryBackend()));
  for (const text of texts) await memory.add({ text });
  const { entries } = await memory.list({ limit: 100 });
  return entries.filter(({ validTo }) => validTo === undefined).map(({ text }) => text);
}

test.each([
  ['Deploys run on Fridays', 'Deploys run on Mondays now'],
  ['Deploys run on Fridays', 'Deploys run on Mondays now, no longer on Fridays'],
  ['Deploys run on Fridays', 'Now deploys run on Mondays'],
  ['Deploys run on Fridays', 'From now on, deploys run on Mondays.'],
  ['Deploys run on Fridays', 'Deploys run on Mondays instead of Fridays'],
  ['CI runs on CircleCI', 'CI is on GitHub Actions now'],
  ['The main branch is called master', 'The main branch is called main now'],
  ['Backups start at 2 am', 'Backups now start at 4 am'],
  ['The retry limit is 3', 'The retry limit is 5 now'],
  ['Standup is at 9:30', 'Our standup is at 10:00 now'],
])('%j ends where %j is added', async (before, now) => {
  expect(await heldAfter(before, now)).toEqual([now]);
});

test.each([
  ['Deploys run on Fridays', 'Deploys run on Mondays'],
  ['Deploys run on Fridays', 'Deploys also run on Mondays now'],
  ['Deploys run on Fridays', 'Deploys run on Kubernetes now'],
  ['Deploys run on Fridays', 'Deploys run in staging now'],
  ['Deploys run on Fridays', 'Releases run on Mondays now'],
  ['Deploys run on Fridays', 'Deploys of the docs run on Mondays now'],
  ['Deploys run on Fridays', 'Deploys run on Mondays for now'],
  ['Lena is a designer', 'Lena is a runner now'],
  ['Lena is a designer', 'Lena is in Bern now'],
  ['Tests run on Linux', 'Tests run on Linux and macOS now, too'],
  ['Backups start at 2 am', 'Backups end at 4 am now'],
])('%j holds on beside %j', async (before, now) => {
  expect((await heldAfter(before, now)).toSorted()).toEqual([before, now].toSorted());
});

test('what the assistant restates ends nothing that the user stated', async () => {
  const memory = createMemory(await openStore(memoryBackend()));
  await memory.add({ text: 'Deploys run on Fridays' });
  const kept = await memory.add({ text: 'Deploys run on Mondays now', source: 'assistant' });
  expect(kept.ended).toEqual([]);
});
