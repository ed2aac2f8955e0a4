import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode, say, since, toStderr } from './processes.mjs';
import { transpile } from './transpile.mjs';
import { filesBelow, packagesOf, root, setupFolder } from './workspace.mjs';

const stampFile = path.join(setupFolder, 'built');
/** The command and what it loads; the page of the server is made of the dashboard. */
const command = '@ctx/cli';
const page = path.join(root, 'apps/dashboard');
const vite = path.join(page, 'node_modules/vite/bin/vite.js');

/** Whether the command runs from the sources as they are now. Reads one `stat` per source file. */
export function isBuilt() {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp()) return false;
  return (
    (!existsSync(vite) || existsSync(path.join(root, 'apps/server/page/index.html'))) &&
    packagesOf(command).every(({ folder }) => existsSync(path.join(folder, 'dist')))
  );
}

/** Makes the command and the page of the server from their sources; throws a plain Error. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  const wanted = stamp();
  const startedAt = performance.now();
  say('building the command and the page of its server: the packages (1 of 3)');
  const isDone = bundlePage();
  await Promise.all(packagesOf(command).map(({ folder }) => transpile(folder)));
  say('building: the command (2 of 3)');
  // Loaded here, since the setup also runs where nothing is installed yet.
  await (await import(pathToFileURL(path.join(root, 'apps/cli/bundle.mjs')).href)).bundle();
  // Its process would wait for more work as long as the server of `npm start` runs.
  await (await import('esbuild')).stop();
  say('building: the page (3 of 3)');
  await isDone;
  mkdirSync(setupFolder, { recursive: true });
  // Taken before the build: a file saved meanwhile is built next time.
  writeFileSync(stampFile, wanted);
  say(`built in ${since(startedAt)}`);
}

/** Builds the dashboard into the page that the server serves and packs, if there is something to make it with; throws a plain Error. */
export async function bundlePage() {
  if (!existsSync(vite)) return;
  const exitCode = await runNode(
    [vite, 'build', '--logLevel', 'warn', '--config', path.join(page, 'vite.config.mjs')],
    // Whoever calls, what is shipped is not React for development.
    { ...toStderr, cwd: page, env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (exitCode !== 0) throw new Error(`the page could not be built (vite ended with ${exitCode})`);
}

function stamp() {
  const hash = createHash('sha256').update(process.version);
  const folders = [...packagesOf(command).map(({ folder }) => folder), page];
  for (const folder of folders.filter((one) => existsSync(one))) {
    for (const file of filesBelow(folder, isInput)) {
      const { mtimeMs, size } = statSync(file);
      hash.update(`${path.relative(root, file)} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex');
}

const isInput = (name) =>
  /(?<!\.test)\.(tsx?|css|html)$|^package\.json$|^vite\.config\.mjs$/.test(name);
