import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fsBackend } from '@ctx/store-fs';
import { validateSaver } from './validate-saver.ts';

validateSaver('ctx on files', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ctx-saver-'));
  return {
    backend: fsBackend({ path: path.join(folder, 'store') }),
    remove: () => rm(folder, { recursive: true }),
  };
});
