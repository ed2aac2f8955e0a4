import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshFolder } from '../test-support/folder.ts';
import { createKnownFolders, type KnownFolders } from './checked-folders.ts';

const path = 't/outputs/s/one.json';

let parent = '';
let root = '';
let folders: KnownFolders;

describe('folders that were looked at before', () => {
  beforeEach(() => {
    parent = freshFolder();
    root = join(parent, 'store');
    mkdirSync(join(root, 't/outputs/s'), { recursive: true });
    mkdirSync(join(parent, 'elsewhere/outputs/s'), { recursive: true });
    folders = createKnownFolders(root);
    expect(folders.leadTo(path)).toBe(true);
    expect(folders.leadTo(path)).toBe(true);
  });

  it.each([
    ['t', 'elsewhere'],
    ['t/outputs', 'elsewhere/outputs'],
    ['t/outputs/s', 'elsewhere/outputs/s'],
  ])('are refused once %s is a link to another place', (folder, target) => {
    rmSync(join(root, folder), { recursive: true });
    symlinkSync(join(parent, target), join(root, folder));
    expect(() => folders.leadTo(path)).toThrow(/no folder of the store but a link/);
  });

  it('are refused once a file is in their place', () => {
    rmSync(join(root, 't/outputs/s'), { recursive: true });
    writeFileSync(join(root, 't/outputs/s'), '');
    expect(() => folders.leadTo(path)).toThrow(/no folder of the store/);
  });

  it('are missing once they are gone, and there again once they come back', () => {
    renameSync(join(root, 't/outputs/s'), join(root, 'aside'));
    expect(folders.leadTo(path)).toBe(false);
    mkdirSync(join(root, 't/outputs/s'));
    expect(folders.leadTo(path)).toBe(true);
  });
});
