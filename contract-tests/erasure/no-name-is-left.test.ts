import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { describe } from 'vitest';
import { inFolder } from '../child-program.ts';
import { countIn, checkPlace } from './named-places.ts';

/** In all files of a folder and in their names. */
function countInFolder(folder: string, text: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name)));
  const names = Buffer.from(entries.map(({ name }) => name).join('\n'));
  return [names, ...texts].reduce((sum, bytes) => sum + countIn(bytes, text), 0);
}

describe('in a file of SQLite', () => {
  checkPlace((work) =>
    inFolder((folder) =>
      work({
        open: () => sqliteBackend({ path: join(folder, 'ctx.db'), eraseOnClose: true }),
        count: (text) => Promise.resolve(countInFolder(folder, text)),
      }),
    ),
  );
});

describe('in files', () => {
  checkPlace((work) =>
    inFolder((folder) =>
      work({
        open: () => fsBackend({ path: join(folder, 'store') }),
        count: (text) => Promise.resolve(countInFolder(folder, text)),
      }),
    ),
  );
});
