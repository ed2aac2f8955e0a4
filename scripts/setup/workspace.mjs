import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that these scripts belong to. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Stamps, the lock and reports. It goes when node_modules goes, so no stamp outlives what it describes. */
export const setupFolder = path.join(root, 'node_modules/.cache/ctx');

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

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

/** Returns what goes to the registry. */
export function publicPackages() {
  return [...members('packages'), ...members('apps')].filter(
    (one) => one.manifest.private !== true,
  );
}

/** Where the task `pack:check` puts the tarball of the package in `folder`. */
export function tarballOf(folder) {
  return path.join(folder, '.turbo/package.tgz');
}

/** Returns the packages of this repository that `name` needs at run time, itself included. */
export function packagesOf(name) {
  const all = new Map(
    [...members('packages'), ...members('apps')].map((one) => [one.manifest.name, one]),
  );
  const found = new Set();
  const add = (one) => {
    if (one === undefined || found.has(one)) return;
    found.add(one);
    for (const dependency of Object.keys(one.manifest.dependencies ?? {})) add(all.get(dependency));
  };
  add(all.get(name));
  return [...found];
}

/** Lists the files in `folder` and below whose names `accept` takes, except what is installed or built. */
export function* filesBelow(folder, accept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!unread.has(entry.name)) yield* filesBelow(full, accept);
    } else if (accept(entry.name)) {
      yield full;
    }
  }
}

const unread = new Set(['node_modules', 'dist', 'page', 'etc', 'coverage', '.turbo']);
