import { describeStoreBackend } from '@ctx/store/testing';
import { describe, it } from 'vitest';
import { fsBackend } from './fs-backend.ts';

describeStoreBackend({
  title: 'store-fs',
  runner: { describe, it },
  // Without fsync, to be quick: the tests that kill and that fail calls run with it.
  create: ({ place }) => fsBackend({ path: place, durability: 'process' }),
});
