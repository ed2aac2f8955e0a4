import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFsStore } from './open-fs-store.ts';
import { freshFolder } from './test-support/folder.ts';

test('a session that was torn after its first write says what to do, is healed by writing it anew, and keeps its bytes until it is deleted', async () => {
  const path = freshFolder();
  const options = { path, durability: 'process', onQuarantine: () => undefined } as const;
  const before = await openFsStore(options);
  const whole = await before.sessions.update('s', (session) => ({ ...session, title: 'precious' }));
  await before.close();
  const file = join(path, 'default/sessions/s.json');
  truncateSync(file, 200);
  const torn = readFileSync(file, 'utf8');
  const store = await openFsStore(options);
  for (const call of [
    () => store.sessions.get('s'),
    () => store.sessions.update('s', (session) => session),
  ])
    await expect(call()).rejects.toThrow(
      /\.quarantine\/.*; write the record again, or delete it, which destroys that file, too/,
    );
  await store.sessions.save({ ...whole, version: 0 });
  const healed = await store.sessions.update('s', (session) => ({ ...session, title: 'again' }));
  expect([healed.title, healed.version]).toEqual(['again', 2]);
  const kept = (): string[] => readdirSync(join(path, '.quarantine'));
  const [bytes = ''] = kept().filter((name) => name.endsWith('-s.json'));
  expect(readFileSync(join(path, '.quarantine', bytes), 'utf8')).toBe(torn);
  await store.sessions.delete('s');
  expect(kept()).toEqual([]);
  await store.close();
});
