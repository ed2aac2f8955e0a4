import { describeStoreBackend } from '@ctx/core/testing';
import { describe, it } from 'vitest';
import { fsBackend } from './fs-backend.ts';

describeStoreBackend({
  title: 'store-fs',
  runner: { describe, it },
  // Without fsync the kit takes half the time; kill and failing-call tests run with it.
  create: ({ place }) => fsBackend({ path: place, durability: 'process' }),
});
