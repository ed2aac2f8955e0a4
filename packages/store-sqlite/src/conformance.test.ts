import { join } from 'node:path';
import { describeStoreBackend } from '@ctx/store/testing';
import { describe, it } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';

describeStoreBackend({
  runner: { describe, it },
  title: 'store-sqlite',
  create: ({ place }) => sqliteBackend({ path: join(place, 'ctx.db') }),
});
