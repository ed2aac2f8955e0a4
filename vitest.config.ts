import { defineConfig } from 'vitest/config';

/** Tests see the source (`@ctx/source`), so they run with no build. */
export default defineConfig({
  resolve: { conditions: ['@ctx/source'] },
  ssr: { resolve: { conditions: ['@ctx/source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'examples/*/**/*.test.ts'],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
