import { describeStoreBackend } from '@ctx/core/testing';
import { describe, it } from 'vitest';
import { fsBackend } from './fs-backend.ts';

describeStoreBackend({
  title: 'store-fs',
  runner: { describe, it },
  create: ({ place }) => fsBackend({ path: place }),
});
