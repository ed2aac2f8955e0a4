const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

/** Takes out of what is packed the dependencies that a package's `bundle.mjs` has `bundled` into it: nobody need install those. */
async function beforePacking(manifest, folder) {
  const file = join(folder, 'bundle.mjs');
  if (!existsSync(file)) return manifest;
  const { bundled = [] } = await import(pathToFileURL(file).href);
  const kept = Object.entries(manifest.dependencies).filter(([name]) => !bundled.includes(name));
  return { ...manifest, dependencies: Object.fromEntries(kept) };
}

module.exports = { hooks: { beforePacking } };
