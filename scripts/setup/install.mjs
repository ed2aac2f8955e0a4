import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, runNode, toStderr } from './processes.mjs';
import { say, since } from './say.mjs';
import { readJson, root, setupFolder } from './workspace.mjs';

const stampFile = path.join(setupFolder, 'installed');
const pnpmVersion = readJson(path.join(root, 'package.json')).packageManager.replace('pnpm@', '');

/** Whether node_modules is what this lockfile, this pnpm and this Node would install. Cost: one hash, 1 ms. */
export function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp();
}

/** Installs from the lockfile unless that is done. Throws: a plain Error that says what to do. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const wanted = stamp();
  const startedAt = performance.now();
  say(`installing the packages of the lockfile with pnpm ${pnpmVersion}; needs the network once`);
  const exitCode = await install();
  if (exitCode !== 0) {
    throw new Error(
      `pnpm install ended with ${exitCode}: see its lines above; nothing is broken, try again`,
    );
  }
  mkdirSync(setupFolder, { recursive: true });
  writeFileSync(stampFile, wanted);
  say(`installed in ${since(startedAt)}`);
}

function stamp() {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'pnpm-lock.yaml')));
  return [
    hash.digest('hex'),
    pnpmVersion,
    process.platform,
    process.arch,
    process.versions.modules,
  ].join(' ');
}

const installArguments = [
  'install',
  '--frozen-lockfile',
  '--prefer-offline',
  '--reporter=append-only',
  '--loglevel=info',
  '--config.confirmModulesPurge=false',
];

/** With the pnpm that is here already, else through npx. */
async function install() {
  const local = path.join(root, 'node_modules/pnpm');
  if (isWantedPnpm(local)) {
    const exitCode = await runNode(
      [path.join(local, 'bin/pnpm.cjs'), ...installArguments],
      toStderr,
    );
    // pnpm may have swept node_modules away under its own feet; then npx has one still.
    if (exitCode === 0 || isWantedPnpm(local)) return exitCode;
  }
  const pnpm = ['--yes', `pnpm@${pnpmVersion}`, ...installArguments];
  const npx = npxScript();
  if (npx !== undefined) return await runNode([npx, ...pnpm], toStderr);
  const isWindows = process.platform === 'win32';
  return await run(isWindows ? 'npx.cmd' : 'npx', pnpm, { ...toStderr, shell: isWindows });
}

function isWantedPnpm(folder) {
  const manifest = path.join(folder, 'package.json');
  return existsSync(manifest) && readJson(manifest).version === pnpmVersion;
}

/** The npx of the npm that called us, so that no other npm on the PATH gets in between. */
function npxScript() {
  const npm = process.env.npm_execpath ?? '';
  const npx = path.join(path.dirname(npm), 'npx-cli.js');
  return path.basename(npm) === 'npm-cli.js' && existsSync(npx) ? npx : undefined;
}
