import { existsSync } from 'node:fs';
import path from 'node:path';
import { runNode, toStderr } from './processes.mjs';
import { root } from './workspace.mjs';

const dashboard = path.join(root, 'apps/dashboard');

/** Whether the server has a page to serve. */
export function isPageBuilt() {
  return existsSync(path.join(root, 'apps/server/page/index.html'));
}

/** Builds the dashboard into `apps/server/page`, which the server serves and packs. Throws: a plain Error. */
export async function bundlePage() {
  const vite = path.join(dashboard, 'node_modules/vite/bin/vite.js');
  if (!existsSync(vite)) return;
  const exitCode = await runNode(
    [vite, 'build', '--logLevel', 'warn', '--config', path.join(dashboard, 'vite.config.mjs')],
    // Whoever calls, what is shipped is not React for development.
    { ...toStderr, cwd: dashboard, env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (exitCode !== 0) throw new Error(`the page could not be built (vite ended with ${exitCode})`);
}
