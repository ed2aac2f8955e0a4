import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CtxError } from '@ctx/core';

/** A file of settings as it was read. */
export interface SettingsFile {
  /** Where it is read and written: behind a link, the file itself. */
  readonly path: string;
  /** Its text; missing where there is no file. */
  readonly text?: string;
  readonly settings: unknown;
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

/** Reads settings; where there are none they are empty. Throws: `CTX_INVALID_INPUT` for a file that is not JSON, or too large. */
export async function readSettings(named: string): Promise<SettingsFile> {
  const path = await fileBehind(named);
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > maxBytes) {
      throw new CtxError('CTX_INVALID_FILE', `${path} is no file of settings`);
    }
    const text = await readFile(path, 'utf8');
    return { path, text, settings: parsed(path, text) };
  } catch (error) {
    if (isMissing(error)) return { path, settings: {} };
    throw error;
  }
}

/** Signs that a line begins with, as the file has them. Default: two spaces. */
function indentOf(text: string | undefined): string {
  return /^\{\r?\n([ \t]{1,8})"/.exec(text ?? '')?.[1] ?? '  ';
}

/** The text of settings, indented as the file was. */
export function settingsText({ text }: SettingsFile, settings: unknown): string {
  return `${JSON.stringify(settings, null, indentOf(text))}\n`;
}

/** Rights of a new file: those of the one before. */
async function modeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).mode & 0o777;
  } catch {
    return 0o600;
  }
}

/**
 * Writes settings: all of them or nothing. Throws: `CTX_STORE_CONFLICT` where the file changed since it was read.
 */
export async function writeSettings(file: SettingsFile, settings: unknown): Promise<void> {
  const { path } = file;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const now = await readFile(path, 'utf8').catch(() => undefined);
  if (now !== file.text) {
    throw new CtxError('CTX_STORE_CONFLICT', `${path} was changed meanwhile; nothing was written`);
  }
  const draft = join(dirname(path), `.${basename(path)}.${String(process.pid)}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await open(draft, flags, await modeOf(path));
  try {
    await handle.writeFile(settingsText(file, settings));
    await handle.sync();
    await handle.close();
    await rename(draft, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}
