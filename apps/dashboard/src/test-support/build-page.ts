import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const config = fileURLToPath(new URL('../../vite.config.mjs', import.meta.url));
const vite = join(
  dirname(createRequire(import.meta.url).resolve('vite/package.json')),
  'bin/vite.js',
);

/** Builds the page as it is shipped, in a process of its own: a test's would take React for development. */
export function buildPage(folder?: string): void {
  const target = folder === undefined ? [] : ['--outDir', folder];
  execFileSync(
    process.execPath,
    [vite, 'build', '--config', config, '--logLevel', 'error', ...target],
    { env: { ...process.env, NODE_ENV: 'production' }, stdio: 'inherit' },
  );
}
