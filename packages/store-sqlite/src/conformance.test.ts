import { join } from 'node:path';
import { describeStoreBackend } from '@ctx/store/testing';
import { describe, it } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';

/** `npm test` tries few of the random traces, the campaign all of them. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';

describeStoreBackend({
  runner: { describe, it },
  title: 'store-sqlite',
  filter: ({ group, name }) => isCampaign || group !== 'traces' || /seed [12]\)$/.test(name),
  create: ({ place }) => sqliteBackend({ path: join(place, 'ctx.db') }),
});
