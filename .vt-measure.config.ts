import { defineConfig } from 'vitest/config';
export default defineConfig({
  root: '/work/wt/tooling',
  resolve: { conditions: ['@ctx/source'] },
  ssr: { resolve: { conditions: ['@ctx/source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts','apps/*/src/**/*.test.{ts,tsx}','examples/*/**/*.test.ts','contract-tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 300_000, hookTimeout: 300_000, maxWorkers: 2, pool: 'threads', isolate: false,
    env: { NO_COLOR: '1' },
  },
});
