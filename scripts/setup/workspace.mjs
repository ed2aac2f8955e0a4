import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout these scripts stand in. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Stamps, the lock and scratch things. Goes when node_modules goes, so no stamp outlives what it speaks of. */
export const setupFolder = path.join(root, 'node_modules/.cache/ctx');

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Folders below `group` (`packages`, `apps`, …) that hold a package.json, with what it says. */
export function members(group) {
  const folder = path.join(root, group);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, folder: path.join(folder, name) }))
    .filter((member) => existsSync(path.join(member.folder, 'package.json')))
    .map((member) => ({ ...member, manifest: readJson(path.join(member.folder, 'package.json')) }));
}

/** What goes to the registry. */
export function publicPackages() {
  return [...members('packages'), ...members('apps')].filter(
    (one) => one.manifest.private !== true,
  );
}

/** What `tsc -b` at the root builds: the references of tsconfig.json, by folder. */
export function projects() {
  const { references } = readJson(path.join(root, 'tsconfig.json'));
  return references.map((reference) => path.join(root, reference.path));
}
