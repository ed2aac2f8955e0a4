import { describe, it } from 'vitest';
import { describeStoreBackend } from '../testing/index.ts';
import { memoryBackend } from './memory-backend.ts';

describeStoreBackend({
  title: 'memory backend',
  runner: { describe, it },
  create: () => memoryBackend(),
});
