import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { CtxError } from '@ctx/core';
import { z } from 'zod';

/** What a config file may say. It is data: nothing in it is executed. */
export interface CtxConfig {
  /** URL of the store. */
  readonly store?: string;
}

const configSchema: z.ZodType<CtxConfig> = z.strictObject({ store: z.string().exactOptional() });

/** Name of a project's config file. */
export const projectConfigName = 'ctx.config.json';

/** Largest config file that is read, bytes. */
const maxConfigBytes = 64 * 1024;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Reads a config file; `undefined` where there is none. Throws: `CTX_INVALID_INPUT` naming file and field. */
export async function readConfig(path: string): Promise<CtxConfig | undefined> {
  let text: string;
  try {
    const { size } = await lstat(path);
    if (size > maxConfigBytes) {
      throw new CtxError('CTX_INVALID_INPUT', `${path} is too large for a config file`);
    }
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return configSchema.parse(JSON.parse(text));
  } catch (cause) {
    const issue = cause instanceof z.ZodError ? cause.issues[0] : undefined;
    const what =
      issue === undefined ? 'it is not JSON' : `${issue.path.join('.')} ${issue.message}`;
    throw new CtxError('CTX_INVALID_INPUT', `${path} is no ctx config: ${what.trim()}`);
  }
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
 * Contract: a config that belongs to another user is not believed.
 */
export async function findProjectConfig(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, projectConfigName);
    if (await isThere(path)) return (await isOwn(path)) ? path : undefined;
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
 * for other files of the user. Throws: `CTX_NOT_ALLOWED`.
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
