import { describeStoreBackend } from '@ctx/store/testing';
import { describe, it } from 'vitest';
import { fsBackend } from './fs-backend.ts';

describeStoreBackend({
  title: 'store-fs, where new records share files',
  runner: { describe, it },
  create: ({ place }) =>
    fsBackend({
      path: place,
      durability: 'process',
      segments: ['things', 'notes', 'tasks', 'order', 'twins'],
    }),
});
