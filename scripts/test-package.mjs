import path from 'node:path';
import { runNode } from './setup/processes.mjs';
import { root } from './setup/workspace.mjs';

/**
 * The tasks `test`, `test:campaign` and `test:dist` of a package, run in its folder: its test files, with a report for the counts.
 * Further arguments go to vitest.
 */
const modes = { campaign: { CTX_TEST_CAMPAIGN: '1' }, dist: { CTX_TEST_DIST: '1' } };
const [first, ...others] = process.argv.slice(2);
const mode = modes[first] !== undefined ? first : undefined;
const report = mode === undefined ? 'test.json' : `test-${mode}.json`;

process.exitCode = await runNode(
  [
    ...[path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--passWithNoTests'],
    ...['--reporter=default', '--reporter=json'],
    `--outputFile.json=${path.join(process.cwd(), '.turbo', report)}`,
    `${path.relative(root, process.cwd())}${path.sep}`,
    ...(mode === undefined ? process.argv.slice(2) : others),
  ],
  { env: { ...process.env, ...modes[mode] } },
);
