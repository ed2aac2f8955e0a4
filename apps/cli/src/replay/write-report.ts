import { lstat, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CtxError } from '@ctx/core';
import { pages } from '@ctx/replay';

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Says beforehand that a page cannot be written there; throws `CTX_INVALID_INPUT`, `CTX_NOT_FOUND`. */
export async function checkReportPath(path: string): Promise<void> {
  const folder = await lstat(dirname(path)).catch((error: unknown) => {
    if (isErrorCode(error, 'ENOENT')) {
      const message = `there is no folder ${dirname(path)} for the page of --html`;
      throw new CtxError('CTX_NOT_FOUND', message);
    }
    throw new CtxError('CTX_NOT_ALLOWED', `this user may not write to ${dirname(path)}`, {
      cause: error,
    });
  });
  const target = await lstat(path).catch(() => undefined);
  if (!folder.isDirectory() || target?.isDirectory() === true) {
    throw new CtxError('CTX_USAGE', `--html names a file; ${path} cannot be one`);
  }
}

/** Writes the page; a file that stands there is replaced. It is readable by its owner only; throws the codes of the file. */
export async function writeReport(
  path: string,
  answer: Parameters<typeof pages.report>[0],
): Promise<void> {
  try {
    // The file of before may be a link or have another mode: it is made anew.
    await rm(path, { force: true });
    await writeFile(path, pages.report(answer), { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    throw new CtxError('CTX_STORE_IO', `${path} cannot be written`, { cause });
  }
}
