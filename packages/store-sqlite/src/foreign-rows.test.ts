import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { temporaryFolder } from './test-support/places.ts';

/** Bodies that somebody else has put into a row: markers of other libraries, and of ours where they mean nothing. */
const bodies: readonly (readonly [string, string, unknown])[] = [
  ['__proto__', '{"__proto__":{"polluted":1},"a":1}', undefined],
  ['constructor', '{"constructor":{"prototype":{"polluted":1}}}', undefined],
  ['lc', '{"lc":1,"type":"constructor","id":["langchain","x"],"kwargs":{}}', undefined],
  ['a secret of the environment', '{"lc":1,"type":"secret","id":["HOME"]}', undefined],
  ['an unknown tag', '{"$ctx":"constructor","value":"process"}', undefined],
  ['text like a pointer', '"ctx://outputs/s/Bash_1"', 'ctx://outputs/s/Bash_1'],
];

test.each(bodies)('a row edited to hold %s loads as data', async (_, result, wanted) => {
  const path = join(temporaryFolder(), 'ctx.db');
  const before = await openSqliteStore({ path });
  const { pointer } = await before.outputs.save({
    sessionId: 's',
    toolName: 'Bash',
    args: {},
    result: 'plain',
  });
  await before.close();
  const database = (await loadDriver())(path);
  database.prepare('UPDATE outputs SET _body = ?').run(`{"args":{},"result":${result}}`);
  database.close();
  const store = await openSqliteStore({ path });
  const loaded = await store.outputs.load({ sessionId: 's', id: pointer.id });
  expect(JSON.stringify(loaded?.result)).toBe(JSON.stringify(wanted ?? JSON.parse(result)));
  expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false);
  await store.close();
});

test.each(['', '[1', 'null', '[]', '{"args":{}}', '"text"'])(
  'a row edited to hold %j is named as damage and the rest is read',
  async (body) => {
    const path = join(temporaryFolder(), 'ctx.db');
    const store = await openSqliteStore({ path, outputs: { cacheTotalBytes: 0 } });
    const input = { sessionId: 's', toolName: 'Bash', args: {} };
    const [bad, good] = await store.outputs.saveAll([
      { ...input, result: 'bad' },
      { ...input, result: 'good' },
    ]);
    const database = (await loadDriver())(path);
    const id = bad?.pointer.id ?? '';
    database.prepare('UPDATE outputs SET _body = ? WHERE output_id = ?').run(body, id);
    database.close();
    const error: unknown = await store.outputs
      .load({ sessionId: 's', id })
      .catch((thrown: unknown) => thrown);
    expect(isCtxError(error, 'CTX_STORE_CORRUPT')).toBe(true);
    const whole = await store.outputs.load({ sessionId: 's', id: good?.pointer.id ?? '' });
    expect(whole?.result).toBe('good');
    await store.close();
  },
);
