import path from 'node:path';
import { publicPackages, setupFolder } from '../setup/workspace.mjs';

export const tarballFolder = path.join(setupFolder, 'tarballs');

/** The public packages, each with the tarball that the step `pack` makes of it. */
export function tarballs() {
  return publicPackages().map((one) => ({
    ...one,
    tarball: path.join(
      tarballFolder,
      `${one.manifest.name.replace('@', '').replace('/', '-')}-${one.manifest.version}.tgz`,
    ),
  }));
}
