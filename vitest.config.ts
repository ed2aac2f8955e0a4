import { defineConfig } from 'vitest/config';

/** Tests see the source (`@ctx/source`), so they run with no build. */
export default defineConfig({
  resolve: { conditions: ['@ctx/source'] },
  ssr: { resolve: { conditions: ['@ctx/source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.{ts,tsx}',
      'examples/*/**/*.test.ts',
      'contract-tests/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Ends what hangs; a busy machine takes several times as long as an idle one.
    testTimeout: 120_000,
    // A hook that removes a folder of many thousand files is slow on a busy disk.
    hookTimeout: 120_000,
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/index.ts', '**/testing/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
    },
  },
});
