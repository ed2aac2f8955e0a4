import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, runNode, say, since, toStderr } from './processes.mjs';
import { readJson, root, setupFolder } from './workspace.mjs';

const stampFile = path.join(setupFolder, 'installed');
const pnpmVersion = readJson(path.join(root, 'package.json')).packageManager.replace('pnpm@', '');

/** What is installed: `command` is what `npm start` builds and runs, `all` also what tests and checks need. */
const filters = {
  all: [],
  command: ['--prod', '--filter=ctx', '--filter=@ctx/cli...', '--filter=@ctx/dashboard...'],
};

/** Whether node_modules has at least what this lockfile, this pnpm and this Node would install for `scope`. Takes 1 ms. */
export function isInstalled(scope) {
  const found = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  return [stamp('all'), stamp(scope)].includes(found);
}

/** Installs from the lockfile unless that is done; throws a plain Error that says what to do. */
export async function ensureInstalled(scope) {
  if (isInstalled(scope)) return;
  // Nothing is taken away: whoever had what tests need keeps it.
  const wanted = existsSync(path.join(root, 'node_modules/vitest')) ? 'all' : scope;
  const startedAt = performance.now();
  say(`installing the packages of the lockfile with pnpm ${pnpmVersion}; needs the network once`);
  const exitCode = await install([...installArguments, ...filters[wanted]]);
  const failure = `pnpm install ended with ${exitCode}: see its lines above; nothing is broken, try again`;
  if (exitCode !== 0) throw new Error(failure);
  mkdirSync(setupFolder, { recursive: true });
  writeFileSync(stampFile, stamp(wanted));
  say(`installed in ${since(startedAt)}`);
}

function stamp(scope) {
  const lock = createHash('sha256').update(readFileSync(path.join(root, 'pnpm-lock.yaml')));
  const { platform, arch, versions } = process;
  return [lock.digest('hex'), pnpmVersion, platform, arch, versions.modules, scope].join(' ');
}

const quiet = ['--reporter=append-only', '--loglevel=info', '--config.confirmModulesPurge=false'];
const installArguments = ['install', '--frozen-lockfile', '--prefer-offline', ...quiet];

/** With the pnpm that is here already, else through npx. */
async function install(args) {
  const local = path.join(root, 'node_modules/pnpm');
  if (isWantedPnpm(local)) {
    const exitCode = await runNode([path.join(local, 'bin/pnpm.cjs'), ...args], toStderr);
    // pnpm may have swept node_modules away under its own feet; then npx has one still.
    if (exitCode === 0 || isWantedPnpm(local)) return exitCode;
  }
  const pnpm = ['--yes', `pnpm@${pnpmVersion}`, ...args];
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
