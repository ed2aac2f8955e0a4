import { memoryBackend } from '@ctx/store/backend';
import { validateSaver } from './validate-saver.ts';

validateSaver('ctx in memory', async () => ({
  backend: memoryBackend(),
  remove: async () => undefined,
}));
