import path from 'node:path';
import { runNode } from './setup/processes.mjs';
import { root } from './setup/workspace.mjs';

/** The tasks `test`, `test:campaign` and `test:clients` of a package, run in its folder, with a report for the counts; options go to vitest. */
const [first, ...others] = process.argv.slice(2);
const isCampaign = first === 'campaign' || first === 'clients';
const report = isCampaign ? `test-${first}.json` : 'test.json';

process.exitCode = await runNode(
  [
    ...[path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--passWithNoTests'],
    ...['--reporter=default', '--reporter=json'],
    `--outputFile.json=${path.join(process.cwd(), '.turbo', report)}`,
    `${path.relative(root, process.cwd())}${path.sep}`,
    ...(isCampaign ? others : process.argv.slice(2)),
  ],
  { env: { ...process.env, ...(isCampaign && { CTX_TEST_CAMPAIGN: '1' }) } },
);
