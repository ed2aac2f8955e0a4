import { describe, it } from 'vitest';
import { durableMemory } from './broken/broken-backend.ts';
import { describeStoreBackend } from './describe-store-backend.ts';

describeStoreBackend({
  title: 'memory backend that outlives close',
  runner: { describe, it },
  create: durableMemory(),
});
