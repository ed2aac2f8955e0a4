import { describe, it } from 'vitest';
import { describeStoreBackend } from '../../testing/describe-store-backend.ts';
import { memoryBackend } from './memory-backend.ts';

describeStoreBackend({
  title: 'memory backend',
  runner: { describe, it },
  create: () => memoryBackend(),
});
