import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { CtxError } from '@ctx/core';

/** Names of a project's config file; one of them, not both. */
const projectConfigNames: readonly [string, string] = ['ctx.config.json', 'ctx.config.toml'];

/** Names of the user's config file in the user's config folder. */
export const userConfigNames: readonly [string, string] = ['config.json', 'config.toml'];

/** Largest config file that is read, bytes. */
const maxConfigBytes = 64 * 1024;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * What a config file says, unchecked; `undefined` where there is none.
 * @throws `CTX_INVALID_FILE`.
 */
export async function readConfigFile(
  path: string,
): Promise<{ readonly said: unknown } | undefined> {
  let text: string;
  try {
    const { size } = await lstat(path);
    if (size > maxConfigBytes) {
      throw new CtxError('CTX_INVALID_FILE', `${path} is too large for a config file`);
    }
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return { said: await parseConfig(path, text) };
}

/** Only a file in TOML loads the parser for it. */
async function parseConfig(path: string, text: string): Promise<unknown> {
  const isToml = path.endsWith('.toml');
  try {
    return isToml ? (await import('smol-toml')).parse(text) : JSON.parse(text);
  } catch {
    const what = isToml ? 'TOML' : 'JSON';
    throw new CtxError('CTX_INVALID_FILE', `${path} is no ctx config: it is not ${what}`);
  }
}

/**
 * The config file of a folder, of two names; `undefined` where there is none.
 * @throws `CTX_INVALID_INPUT` where both are there: it would not be clear which one counts.
 */
export async function configIn(
  folder: string,
  names: readonly [string, string],
): Promise<string | undefined> {
  const there: string[] = [];
  for (const name of names) if (await isThere(join(folder, name))) there.push(name);
  if (there.length > 1) {
    throw new CtxError('CTX_INVALID_FILE', `${folder} holds ${names.join(' and ')}: keep one`);
  }
  return there[0] === undefined ? undefined : join(folder, there[0]);
}

/** The config files of a user and of the project around a folder: where they are, or would be. */
export interface ConfigFiles {
  readonly user: string;
  readonly project: string;
  readonly hasUser: boolean;
  readonly hasProject: boolean;
}

/**
 * Finds both.
 * @throws `CTX_INVALID_FILE` if a folder holds one in JSON and one in TOML.
 */
export async function findConfigFiles(cwd: string, userFolder: string): Promise<ConfigFiles> {
  const user = await configIn(userFolder, userConfigNames);
  const project = await findProjectConfig(cwd);
  return {
    user: user ?? join(userFolder, userConfigNames[0]),
    project: project ?? join(cwd, projectConfigNames[0]),
    hasUser: user !== undefined,
    hasProject: project !== undefined,
  };
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the project's config: in `cwd` or a folder above it, up to the first one with `.git`.
 * A config that belongs to another user is not believed.
 */
export async function findProjectConfig(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = await configIn(folder, projectConfigNames);
    if (path !== undefined) return (await isOwn(path)) ? path : undefined;
    if ((await isThere(join(folder, '.git'))) || dirname(folder) === folder) return undefined;
  }
}

async function isOwn(path: string): Promise<boolean> {
  const user = process.getuid?.();
  const { uid } = await lstat(path);
  return user === undefined || uid === user;
}

/**
 * Checks that a project's config names a store inside its own folder: a project that was only downloaded must not reach
 * for other files of the user.
 * @throws `CTX_NOT_ALLOWED`.
 */
export async function checkInsideProject(storePath: string, configPath: string): Promise<void> {
  const root = await realpath(dirname(configPath));
  let existing = storePath;
  while (!(await isThere(existing)) && dirname(existing) !== existing) existing = dirname(existing);
  const real = await realpath(existing);
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new CtxError(
    'CTX_NOT_ALLOWED',
    `${configPath} names a store outside of its folder; give it by --store or CTX_STORE instead`,
  );
}
