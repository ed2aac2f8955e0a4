import path from 'node:path';
import { publicPackages } from '../setup/workspace.mjs';

/** Where the task `pack:check` puts the tarball of the package in `folder`. */
export function tarballOf(folder) {
  return path.join(folder, '.turbo/package.tgz');
}

/** Returns the public packages, each with its tarball. */
export function tarballs() {
  return publicPackages().map((one) => ({ ...one, tarball: tarballOf(one.folder) }));
}
