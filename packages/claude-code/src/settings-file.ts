import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CtxError } from '@ctx/core';

/** A file of settings as it was read. */
export interface SettingsFile {
  /** Where it is read and written: behind a link, the file itself. */
  readonly path: string;
  readonly settings: unknown;
  /** Returns the text of other settings, indented as the file is. */
  readonly textOf: (settings: unknown) => string;
  /**
   * Writes other settings: all of them or nothing.
   * @throws `CTX_STORE_CONFLICT` if the file changed since it was read.
   */
  readonly write: (settings: unknown) => Promise<void>;
}

function settingsFile(path: string, text: string | undefined): SettingsFile {
  const textOf = (settings: unknown): string =>
    `${JSON.stringify(settings, null, indentOf(text))}\n`;
  return {
    path,
    settings: text === undefined ? {} : parsed(path, text),
    textOf,
    write: (settings) => writeFileOver(path, text, textOf(settings)),
  };
}

/** Largest file of settings that is read, bytes. */
const maxBytes = 4 * 1024 * 1024;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The file itself: people keep their settings elsewhere and link to them. */
async function fileBehind(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}

function parsed(path: string, text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${path} is not JSON; mend it first, nothing was changed`;
    throw new CtxError('CTX_INVALID_FILE', message, { cause });
  }
}

/**
 * Reads settings; without a file they are empty.
 * @throws `CTX_INVALID_FILE` for a file that is not JSON, or too large.
 */
export async function readSettings(named: string): Promise<SettingsFile> {
  const path = await fileBehind(named);
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > maxBytes) {
      throw new CtxError('CTX_INVALID_FILE', `${path} is no file of settings`);
    }
    const text = await readFile(path, 'utf8');
    return settingsFile(path, text);
  } catch (error) {
    if (isMissing(error)) return settingsFile(path, undefined);
    throw error;
  }
}

/** Signs that a line begins with, as the file has them. Default: two spaces. */
function indentOf(text: string | undefined): string {
  return /^\{\r?\n([ \t]{1,8})"/.exec(text ?? '')?.[1] ?? '  ';
}

/** Rights of a new file: those of the one before. */
async function modeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).mode & 0o777;
  } catch {
    return 0o600;
  }
}

/** Replaces a file that still has the text `before`. */
async function writeFileOver(
  path: string,
  before: string | undefined,
  after: string,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const now = await readFile(path, 'utf8').catch(() => undefined);
  if (now !== before) {
    throw new CtxError('CTX_STORE_CONFLICT', `${path} was changed meanwhile; nothing was written`);
  }
  const draft = join(dirname(path), `.${basename(path)}.${String(process.pid)}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await open(draft, flags, await modeOf(path));
  try {
    await handle.writeFile(after);
    await handle.sync();
    await handle.close();
    await rename(draft, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}
