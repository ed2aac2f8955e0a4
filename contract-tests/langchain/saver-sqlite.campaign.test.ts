import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sqliteBackend } from '@ctx/store-sqlite';
import { validateSaver } from './validate-saver.ts';

validateSaver('ctx on SQLite', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ctx-saver-'));
  return {
    backend: sqliteBackend({ path: path.join(folder, 'ctx.db') }),
    remove: () => rm(folder, { recursive: true }),
  };
});
