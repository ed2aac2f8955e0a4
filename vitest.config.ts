import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** What runs: the tests, or the long campaigns (`*.campaign.test.ts`). */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';
const memory = '/dev/shm';

/** Whether folders in memory have room for what tests write, 8 GiB. */
function isRoomy() {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= 8 * 2 ** 30;
}

// A disk takes several times as long to flush. The campaigns, which kill and fill, write to a real one.
if (!isCampaign && process.env['TMPDIR'] === undefined && isRoomy()) process.env['TMPDIR'] = memory;

/**
 * Where what is transformed is kept: for each state of the lockfile a folder, since vitest empties a folder that another lockfile wrote,
 * and two that start at once fail over it.
 */
const lockfile = readFileSync(new URL('pnpm-lock.yaml', import.meta.url));
const transformed = `node_modules/.vitest-modules/${createHash('sha256').update(lockfile).digest('hex').slice(0, 12)}`;

/** Tests see the sources of all packages, so they run with no build. */
const conditions = { conditions: ['@ctx/source'] };

const all = isCampaign
  ? ['{packages,apps}/*/src/**/*.campaign.test.{ts,tsx}', 'contract-tests/**/*.campaign.test.ts']
  : [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.{ts,tsx}',
      'examples/*/**/*.test.ts',
      'contract-tests/**/*.test.ts',
    ];
/** What looks at modules as they are first loaded, replaces them, or brings a document of its own. */
const apart = [
  'apps/dashboard/src/**/*.test.{ts,tsx}',
  'packages/core/src/text/cut-text.test.ts',
  'packages/tokens/src/index.test.ts',
];
/** Installs the real clients first; `.ci/run` gives these a step of their own. */
const clients = 'contract-tests/proxy/*.campaign.test.ts';
const never = [
  '**/node_modules/**',
  '**/dist/**',
  ...(isCampaign ? [] : ['**/*.campaign.test.{ts,tsx}']),
];

export default defineConfig({
  test: {
    // Ends what hangs; a busy machine takes several times as long as an idle one.
    testTimeout: isCampaign ? 900_000 : 120_000,
    // A hook that removes a folder of many thousand files is slow on a busy disk.
    hookTimeout: 120_000,
    maxWorkers: 2,
    // What is transformed for one package is not transformed again for those above it.
    experimental: { fsModuleCache: true, fsModuleCachePath: transformed },
    projects: [
      // Files that share a process share what they import: a quarter of all time.
      {
        resolve: conditions,
        ssr: { resolve: conditions },
        extends: true,
        test: {
          ...{ name: 'shared', include: isCampaign ? [] : all },
          ...{ exclude: [...never, ...apart], isolate: false },
        },
      },
      {
        resolve: conditions,
        ssr: { resolve: conditions },
        extends: true,
        test: { name: 'apart', include: isCampaign ? all : apart, exclude: [...never, clients] },
      },
      {
        resolve: conditions,
        ssr: { resolve: conditions },
        extends: true,
        test: { name: 'clients', include: isCampaign ? [clients] : [], exclude: never },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/index.ts', '**/testing/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
    },
  },
});
