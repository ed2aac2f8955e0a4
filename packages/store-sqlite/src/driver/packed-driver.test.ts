import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../test-support/places.ts';

const program = new URL('../../bundle.mjs', import.meta.url).href;

it('what is packed of the driver opens a database without the package itself', async () => {
  const folder = temporaryFolder();
  const { bundle } = (await import(program)) as { bundle: (folder: string) => Promise<void> };
  await bundle(folder);
  const file = pathToFileURL(join(folder, 'dist/index.cjs')).href;
  const { DatabaseSync } = ((await import(file)) as { default: Driver }).default;
  const database = new DatabaseSync(':memory:');
  expect(database.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
  database.close();
});

interface Driver {
  readonly DatabaseSync: new (
    path: string,
  ) => {
    prepare(sql: string): { get(): unknown };
    close(): void;
  };
}
