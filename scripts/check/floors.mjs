import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../setup/workspace.mjs';

const depcruise = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const groups = ['packages', 'apps', 'examples', 'bench', 'contract-tests'];

/**
 * Checks the imports of the tree at `folder` against the floors of `.dependency-cruiser.cjs` there and returns the broken rules.
 * Throws if nothing was read: silence is no proof.
 */
export function checkFloors(folder) {
  const present = groups.filter((group) => existsSync(path.join(folder, group)));
  const output = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...present];
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 };
  const { stdout, stderr } = spawnSync(process.execPath, [depcruise, ...output], options);
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser failed: ${stderr}`);
  const { totalCruised: modules, violations } = JSON.parse(stdout).summary;
  if (modules === 0) throw new Error('dependency-cruiser read 0 modules');
  const named = violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  return { modules, violations: named };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { modules, violations } = checkFloors(root);
  for (const { rule, from, to } of violations) console.log(`${rule}: ${from} → ${to}`);
  console.log(`${modules} modules, ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
