import { describeStoreBackend } from '@ctx/store/testing';
import { describe, it } from 'vitest';
import { fsBackend } from './fs-backend.ts';

/** `npm test` tries few of the random traces, the campaign all of them. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';

describeStoreBackend({
  title: 'store-fs',
  runner: { describe, it },
  filter: ({ group, name }) => isCampaign || group !== 'traces' || /seed [12]\)$/.test(name),
  // Without fsync, to be quick: the tests that kill and that fail calls run with it.
  create: ({ place }) => fsBackend({ path: place, durability: 'process' }),
});
