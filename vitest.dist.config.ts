import { defineConfig } from 'vitest/config';

/** The compiled tests against the compiled packages, without the source condition: what is published is tested. */
export default defineConfig({
  test: {
    include: ['packages/*/dist/**/*.test.js', 'apps/*/dist/**/*.test.js'],
    exclude: ['**/node_modules/**'],
    // Ends what hangs; a busy machine takes several times as long as an idle one.
    testTimeout: 120_000,
    // A hook that removes a folder of many thousand files is slow on a busy disk.
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
