import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { bundleCli } from './bundle-cli.mjs';
import { bundleLibraries } from './bundle-libraries.mjs';
import { bundlePage, isPageBuilt, pageFolder } from './bundle-page.mjs';
import { runNode, toStderr } from './processes.mjs';
import { say, since } from './say.mjs';
import { projects, root, setupFolder } from './workspace.mjs';

const stampFile = path.join(setupFolder, 'built');

/** Whether dist was made from the sources as they are. Cost: one `stat` a source file. */
export function isBuilt() {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp()) return false;
  return isPageBuilt() && projects().every((folder) => existsSync(path.join(folder, 'dist')));
}

/** Builds with `tsc -b`, which does again only what changed. Throws: a plain Error. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  const startedAt = performance.now();
  say('building');
  const exitCode = await build();
  if (exitCode !== 0)
    throw new Error(`the build failed (tsc ended with ${exitCode}): see its lines above`);
  say(`built in ${since(startedAt)}`);
}

/** One `tsc -b` of everything. Answers its exit code. */
export async function build(stdio = toStderr) {
  const wanted = stamp();
  for (const folder of projects()) removeLeftovers(folder);
  const exitCode = await runNode([path.join(root, 'node_modules/typescript/bin/tsc'), '-b'], stdio);
  if (exitCode === 0) {
    await bundleCli();
    await bundleLibraries();
    await bundlePage();
    mkdirSync(setupFolder, { recursive: true });
    // Taken before the build: a file saved meanwhile is built next time.
    writeFileSync(stampFile, wanted);
  }
  return exitCode;
}

function stamp() {
  const hash = createHash('sha256').update(process.version);
  const add = (file) => {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${path.relative(root, file)} ${mtimeMs} ${size}\n`);
  };
  for (const name of ['package.json', 'tsconfig.json', 'tsconfig.base.json'])
    add(path.join(root, name));
  for (const folder of projects()) {
    for (const file of filesBelow(folder, isInput)) add(file);
  }
  return hash.digest('hex');
}

function isInput(name) {
  return /\.(tsx?|css|html)$|^(tsconfig|package)\.json$|^vite\.config\.mjs$/.test(name);
}

/** dist is what the sources say, nothing more: the output of a renamed file would still be tested and packed. */
function removeLeftovers(folder) {
  const dist = path.join(folder, 'dist');
  const buildInfo = path.join(folder, 'tsconfig.tsbuildinfo');
  // tsc trusts its build info: without dist, or after a removal there, it must start anew.
  if (!existsSync(dist)) return rmSync(buildInfo, { force: true });
  const sources = existsSync(path.join(folder, 'src')) ? path.join(folder, 'src') : folder;
  for (const file of filesBelow(dist, (name) => /\.(d\.ts|js)(\.map)?$/.test(name))) {
    const stem = path.join(sources, path.relative(dist, file)).replace(/\.(d\.ts|js)(\.map)?$/, '');
    if (!['.ts', '.tsx'].some((ending) => existsSync(stem + ending))) rmSync(file);
  }
}

// A bundle is no file's output: whoever made it makes it anew.
const never = new Set(['node_modules', 'dist', 'etc', 'coverage', 'bundle']);

function* filesBelow(folder, accept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      // The page is made by the build: taken for a source it would have each start build again.
      if (!never.has(entry.name) && full !== pageFolder) yield* filesBelow(full, accept);
    } else if (accept(entry.name)) {
      yield full;
    }
  }
}
