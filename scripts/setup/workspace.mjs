import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that these scripts belong to. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Stamps, the lock and reports. It goes when node_modules goes, so no stamp outlives what it describes. */
export const setupFolder = path.join(root, 'node_modules/.cache/ctx');

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns the folders in `group` (`packages`, `apps`, …) that hold a package.json, with its content. */
export function members(group) {
  const folder = path.join(root, group);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, folder: path.join(folder, name) }))
    .filter((member) => existsSync(path.join(member.folder, 'package.json')))
    .map((member) => ({ ...member, manifest: readJson(path.join(member.folder, 'package.json')) }));
}

const all = () => [...members('packages'), ...members('apps')];

/** Returns what goes to the registry. */
export const publicPackages = () => all().filter(({ manifest }) => manifest.private !== true);

/** Where the task `pack:check` puts the tarball of the package in `folder`. */
export const tarballOf = (folder) => path.join(folder, '.turbo/package.tgz');

/** Returns the packages of this repository that `name` needs at run time, itself included. */
export function packagesOf(name) {
  const known = all();
  const found = new Set(known.filter((one) => one.manifest.name === name));
  // A set is read to its end, also while it grows.
  for (const { manifest } of found) {
    const needed = Object.keys(manifest.dependencies ?? {});
    for (const one of known) if (needed.includes(one.manifest.name)) found.add(one);
  }
  return [...found];
}

/** Lists the files in `folder` and below whose names `accept` takes, except what is installed or built. */
export function* filesBelow(folder, accept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (!isFolder && accept(entry.name)) yield full;
    if (isFolder && !unread.has(entry.name)) yield* filesBelow(full, accept);
  }
}

const unread = new Set(['node_modules', 'dist', 'page', 'etc', 'coverage', '.turbo']);
