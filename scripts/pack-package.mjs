import path from 'node:path';
import { runNode } from './setup/processes.mjs';
import { readJson, root, tarballOf } from './setup/workspace.mjs';

/**
 * The task `pack:check` of a package, run in its folder: packs it as it would go to the registry and looks at the tarball, its shape and
 * whether the types of each entry resolve for an ESM user.
 */
const bin = (file) => path.join(root, 'node_modules', file);
const cwd = process.cwd();
const tarball = tarballOf(cwd);
const steps = [
  [bin('pnpm/bin/pnpm.cjs'), 'pack', '--out', tarball],
  [bin('publint/src/cli.js'), 'run', tarball, '--strict'],
];
if (Object.keys(readJson('package.json').exports ?? {}).some((key) => key !== './package.json')) {
  const options = ['--profile', 'esm-only', '--no-color', '--no-definitely-typed'];
  steps.push([bin('@arethetypeswrong/cli/dist/index.js'), tarball, ...options]);
}
for (const args of steps) process.exitCode ||= await runNode(args, { cwd });
