import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreBackend } from '@ctx/store/backend';
import { onTestFinished } from 'vitest';
import { fsBackend } from '../fs-backend.ts';
import type { FsStoreOptions } from '../store-options.ts';
import { testCollections } from './records.ts';

/** An empty folder, gone when the test ends. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-store-fs-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** An open backend with the test collections, closed when the test ends. */
export async function openBackend(
  path: string,
  options: Omit<FsStoreOptions, 'path'> = {},
): Promise<StoreBackend> {
  const backend = fsBackend({ path, ...options });
  onTestFinished(() => backend.close());
  await backend.open(testCollections);
  return backend;
}

/** All files and folders below a folder, by path. Links are not followed. */
export function treeOf(folder: string, below = ''): string[] {
  const paths: string[] = [];
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    paths.push(path);
    if (lstatSync(join(folder, path)).isDirectory()) paths.push(...treeOf(folder, path));
  }
  return paths;
}
