import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../test-support/folder.ts';
import { ownerOf, ownerState, ownerText, thisOwner } from './lock-owner.ts';
import { createStoreLock, lockFolderName } from './store-lock.ts';

function tokenNames(root: string): string[] {
  return readdirSync(join(root, lockFolderName));
}

describe('the lock of a store', () => {
  it('lets one holder in at a time, in this process too', async () => {
    const root = freshFolder();
    let inside = 0;
    let most = 0;
    const visit = async (): Promise<void> => {
      const held = await createStoreLock(root, 20_000).acquire();
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      held.release(held);
    };
    await Promise.all(Array.from({ length: 20 }, visit));
    expect(most).toBe(1);
  });

  it('counts up with each holder and keeps what the last one committed', async () => {
    const lock = createStoreLock(freshFolder(), 1_000);
    const first = await lock.acquire();
    first.release({ generation: 3, length: 77 });
    const second = await lock.acquire();
    expect(second.counter).toBe(first.counter + 1);
    expect([second.generation, second.length, second.isTakenOver]).toEqual([3, 77, false]);
    second.release(second);
    expect(lock.read()).toMatchObject({ generation: 3, length: 77, owner: undefined });
  });

  it('is one file of mode 0600 in a folder of mode 0700', async () => {
    const root = freshFolder();
    (await createStoreLock(root, 1_000).acquire()).release({ generation: 0, length: 0 });
    const [name = ''] = tokenNames(root);
    expect(tokenNames(root)).toHaveLength(1);
    expect(statSync(join(root, lockFolderName)).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, lockFolderName, name)).mode & 0o777).toBe(0o600);
  });

  it('is taken over from a process that ended, and fences that one off', async () => {
    const root = freshFolder();
    const lock = createStoreLock(root, 1_000);
    const held = await lock.acquire();
    const dead = ownerText({ ...thisOwner(), start: '1' });
    const [name = ''] = tokenNames(root);
    const folder = join(root, lockFolderName);
    renameSync(join(folder, name), join(folder, name.replace(ownerText(thisOwner()), dead)));
    const next = await lock.acquire();
    expect(next.isTakenOver).toBe(true);
    expect(next.counter).toBe(held.counter + 1);
    expect(() => {
      held.check();
    }).toThrow(expect.objectContaining({ code: 'CTX_STORE_BUSY' }));
    next.check();
    next.release(next);
  });

  it('fails typed when the holder lives and the time is up', async () => {
    const root = freshFolder();
    const held = await createStoreLock(root, 1_000).acquire();
    const late = createStoreLock(root, 30).acquire();
    await expect(late).rejects.toMatchObject({ code: 'CTX_STORE_BUSY' });
    held.release(held);
  });

  it('comes back where somebody removed its folder or emptied it', async () => {
    const root = freshFolder();
    const lock = createStoreLock(root, 1_000);
    (await lock.acquire()).release({ generation: 1, length: 1 });
    rmSync(join(root, lockFolderName), { recursive: true });
    (await lock.acquire()).release({ generation: 1, length: 1 });
    rmSync(join(root, lockFolderName), { recursive: true });
    mkdirSync(join(root, lockFolderName));
    expect((await lock.acquire()).generation).toBe(0);
  });
});

describe('an owner of a lock', () => {
  it('is alive while its process runs and dead under another start time', () => {
    expect(ownerState(thisOwner())).toBe('alive');
    expect(ownerState({ ...thisOwner(), start: '1' })).toBe('dead');
    expect(ownerState({ ...thisOwner(), pid: 2 ** 22 + 1 })).toBe('dead');
    expect(ownerState({ ...thisOwner(), place: '0123456789ab' })).toBe('elsewhere');
  });

  it('is read back from a file name, and only from one of its own', () => {
    expect(ownerOf(ownerText(thisOwner()))).toEqual(thisOwner());
    expect(ownerOf('1.2.3')).toBeUndefined();
    expect(ownerOf('x.0.1.0123456789ab')).toBeUndefined();
  });
});
