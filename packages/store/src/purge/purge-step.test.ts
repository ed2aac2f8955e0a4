import { expect, it } from 'vitest';
import { batchOf, countsOf, type PurgeStep } from './purge-step.ts';

it('a batch counts its steps by name: items that go alone with those that checkpoints have to be asked about', () => {
  const steps: PurgeStep[] = [
    { type: 'record', collection: 'items', key: ['t', 'a', '1'] },
    { type: 'record', collection: 'outputs', key: ['t', 's', '1'] },
    { type: 'record', collection: 'outputs', key: ['t', 's', '2'] },
    { type: 'item', key: ['t', 'a', '2'], newest: 4 },
    { type: 'item', key: ['t', 'a', '3'], newest: 4 },
    { type: 'part', key: ['t', 'a', '4', '0'], ids: ['2', '3'] },
    { type: 'owner', key: ['t', 'a', '5'] },
    { type: 'checkpoint', key: ['t', 'a', 'c'] },
    { type: 'live-event', key: ['t', '1'] },
    { type: 'fact', key: ['t', 'a', 'f'], sessions: ['s'] },
  ];
  expect(countsOf(batchOf(steps))).toEqual({
    ...{ items: 3, outputs: 2, checkpoints: 1, live_events: 1 },
    'facts that stay': 1,
    'parts of checkpoints that stay': 1,
    'checkpoints that stay': 1,
  });
});
