import { existsSync } from 'node:fs';
import path from 'node:path';
import { runNode, toStderr } from './processes.mjs';
import { root } from './workspace.mjs';

const dashboard = path.join(root, 'apps/dashboard');
/** What the server shows; made here. */
export const pageFolder = path.join(root, 'apps/server/page');
const vite = path.join(dashboard, 'node_modules/vite/bin/vite.js');

/** Whether the server has its page, or there is nothing to make one with. */
export function isPageBuilt() {
  return !existsSync(vite) || existsSync(path.join(pageFolder, 'index.html'));
}

/** Builds the dashboard into {@link pageFolder}, which the server serves and packs. Throws: a plain Error. */
export async function bundlePage() {
  if (!existsSync(vite)) return;
  const exitCode = await runNode(
    [vite, 'build', '--logLevel', 'warn', '--config', path.join(dashboard, 'vite.config.mjs')],
    // Whoever calls, what is shipped is not React for development.
    { ...toStderr, cwd: dashboard, env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (exitCode !== 0) throw new Error(`the page could not be built (vite ended with ${exitCode})`);
}
