import { defineConfig } from 'vite';

/** The page is built into the server, which serves it, also where it is installed from a registry. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@ctx/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: '../server/page',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing is put into the page itself: the policy of the server allows files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // `use client` of libraries says nothing here.
      onLog: (level, log, say) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') say(level, log);
      },
    },
  },
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:4777', ws: true } } },
});
