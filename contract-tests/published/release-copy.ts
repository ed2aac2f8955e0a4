import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pnpm = join(root, 'node_modules/pnpm/bin/pnpm.cjs');

/** The folders of what goes to the registry. */
export const publishedFolders: readonly string[] = [
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  'apps/cli',
  'apps/server',
];

function run(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): void {
  execFileSync(process.execPath, args, {
    cwd,
    env: { ...process.env, CI: '1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** A copy of the last commit with the versions that the changesets ask for. The checkout keeps its own. */
export function copyWithVersions(): string {
  const copy = mkdtempSync(join(tmpdir(), 'ctx-release-'));
  execFileSync('git', ['clone', '--quiet', '--shared', root, copy]);
  run(copy, [pnpm, 'install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts']);
  for (const place of publishedFolders.flatMap((folder) => [`${folder}/dist`, `${folder}/page`])) {
    if (!existsSync(join(root, place))) continue;
    // Maps are of the setup's own build, which may lie here beside the real one.
    const filter = (path: string): boolean => !path.endsWith('.map');
    cpSync(join(root, place), join(copy, place), { recursive: true, filter });
  }
  run(copy, [join(copy, 'node_modules/@changesets/cli/bin.js'), 'version']);
  return copy;
}

/** Publishes all packages of a copy. */
export function publish(copy: string, url: string, npmrc: string): void {
  const filters = publishedFolders.map((folder) => `--filter=./${folder}`);
  const args = [pnpm, '-r', ...filters, 'publish', '--no-git-checks', `--registry=${url}`];
  run(copy, args, { NPM_CONFIG_USERCONFIG: npmrc, NPM_CONFIG_LOGLEVEL: 'error' });
}

/** The version of a package in a copy. */
export function versionIn(copy: string, folder: string): string {
  const text = readFileSync(join(copy, folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
