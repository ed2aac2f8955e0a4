import { existsSync } from 'node:fs';
import path from 'node:path';
import { publicPackages } from '../setup/workspace.mjs';

/** Everything that a package.json promises (`exports`, those of its tarball, `bin`) is there after the build. */
const targetsOf = (value) =>
  typeof value === 'string'
    ? [value]
    : Object.values(value ?? {}).flatMap((inner) => targetsOf(inner));

const missing = publicPackages().flatMap(({ folder, manifest }) =>
  [manifest.exports, manifest.publishConfig?.exports, manifest.bin]
    .flatMap((promised) => targetsOf(promised))
    .filter((target) => !existsSync(path.join(folder, target)))
    .map((target) => `${manifest.name}: ${target} is promised and missing`),
);
for (const line of missing) console.log(line);
process.exitCode = missing.length === 0 ? 0 : 1;
