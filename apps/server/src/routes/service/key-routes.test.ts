import { expect, test } from 'vitest';
import { startServer } from '../../test-support/start-server.ts';

test('which store commands have to name, and how they begin, is told to keys of the default tenant alone', async () => {
  const server = await startServer({
    ...{ commandStore: 'sqlite:/data/ctx.db', commandCall: 'npm run ctx --' },
  });
  const told = async (tenant?: string) =>
    (await server.call('/v1/key', { key: await server.key('read', tenant) })).json;
  expect(await told()).toEqual({
    ...{ scope: 'read', tenant: 'default', store: 'sqlite:/data/ctx.db', call: 'npm run ctx --' },
  });
  expect(await told('other')).toEqual({ scope: 'read', tenant: 'other' });
  await server.stop();
  const plain = await startServer();
  const answer = await plain.call('/v1/key', { key: await plain.key('read') });
  expect(answer.json).toEqual({ scope: 'read', tenant: 'default' });
  await plain.stop();
});
