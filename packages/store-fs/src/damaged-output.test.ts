import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFsStore } from './open-fs-store.ts';
import { freshFolder } from './test-support/folder.ts';

it('a damaged output is refused by its id alone as with its session, first and later', async () => {
  const folder = freshFolder();
  const store = await openFsStore({ path: folder, durability: 'process' });
  const call = { sessionId: 's', toolName: 'Bash', args: {} };
  const [bad, good] = await store.outputs.saveAll([
    { ...call, result: 'bad' },
    { ...call, result: 'good' },
  ]);
  await store.close();
  const id = bad?.pointer.id ?? '';
  const outputs = join(folder, 'default/outputs/s');
  const files = readdirSync(outputs).map((name) => join(outputs, name));
  const path = files.find((file) => readFileSync(file, 'utf8').includes('"bad"')) ?? '';
  writeFileSync(path, 'torn');
  for (let time = 0; time < 3; time += 1) {
    if (time === 2) rmSync(join(folder, '.index'), { recursive: true });
    const again = await openFsStore({ path: folder, durability: 'process' });
    for (const asked of [{ id }, { id, sessionId: 's' }])
      await expect(again.outputs.load(asked)).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    const whole = await again.outputs.load({ id: good?.pointer.id ?? '' });
    expect(whole?.result).toBe('good');
    expect(await again.outputs.load({ id: 'never-stored' })).toBeUndefined();
    await again.close();
  }
});
