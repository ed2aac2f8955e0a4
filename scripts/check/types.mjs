import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from '../setup/build.mjs';
import { members, projects, root } from '../setup/workspace.mjs';

/** One `tsc -b` types and builds everything. A project that the root does not name would never be looked at. */
const named = new Set(projects());
const folders = ['packages', 'apps', 'examples'].flatMap((group) =>
  members(group).map((one) => one.folder),
);
const alone = ['bench', 'contract-tests'].map((name) => path.join(root, name));
const forgotten = [...folders, ...alone].filter(
  (folder) => existsSync(path.join(folder, 'tsconfig.json')) && !named.has(folder),
);
for (const folder of forgotten) {
  console.log(`tsconfig.json: add a reference to ${path.relative(root, folder)}`);
}
const exitCode = await build({ stdio: 'inherit' });
process.exitCode = exitCode === 0 && forgotten.length > 0 ? 1 : exitCode;
