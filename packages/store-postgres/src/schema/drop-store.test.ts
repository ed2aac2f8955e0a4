import { expect, it } from 'vitest';
import { postgresBackend, postgresStoreExists } from '../postgres-backend.ts';
import { makePglite, pgliteDriver } from '../test-support/pglite-driver.ts';
import { dropPostgresStore } from './drop-store.ts';

it('a store is dropped with all it holds, beside others; one that is not there is no matter', async () => {
  const driver = pgliteDriver(await makePglite());
  for (const schema of ['one', 'other']) {
    const backend = postgresBackend({ driver, schema });
    await backend.open([]);
    await backend.close();
  }
  await dropPostgresStore({ driver, schema: 'one' });
  await dropPostgresStore({ driver, schema: 'one' });
  expect(await postgresStoreExists({ driver, schema: 'one' })).toBe(false);
  expect(await postgresStoreExists({ driver, schema: 'other' })).toBe(true);
  await expect(
    dropPostgresStore({ driver, schema: 'other', readOnly: true }),
  ).rejects.toMatchObject({ code: 'CTX_STORE_READ_ONLY' });
});
