import { describe, it } from 'vitest';
import { describeStoreBackend } from '../../testing/describe-store-backend.ts';
import { memoryBackend } from '../memory/memory-backend.ts';
import { holdWrites } from './hold-writes.ts';

describeStoreBackend({
  title: 'writes that wait',
  runner: { describe, it },
  create: () => holdWrites(memoryBackend()).backend,
});
