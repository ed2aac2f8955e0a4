import { CtxError, type CtxErrorCode, isCtxError } from '@ctx/core';

const codes: Readonly<Record<string, CtxErrorCode>> = {
  ENOSPC: 'CTX_STORE_FULL',
  EDQUOT: 'CTX_STORE_FULL',
  EFBIG: 'CTX_STORE_FULL',
  EACCES: 'CTX_STORE_READ_ONLY',
  EROFS: 'CTX_STORE_READ_ONLY',
};

/** The operating system's name for what went wrong, such as `ENOENT`; '' where the error is of another kind. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Turns what the operating system threw into a ctx error. `what` says what was tried, without content. */
export function storeError(error: unknown, what: string): CtxError {
  if (isCtxError(error)) return error;
  const system = systemCode(error);
  const reason = system === '' ? 'failed' : `failed with ${system}`;
  return new CtxError(codes[system] ?? 'CTX_STORE_IO', `${what} ${reason}`, { cause: error });
}

/** As {@link storeError} for what was only to be read: a refusal says nothing about writing. */
export function readError(error: unknown, path: string): CtxError {
  const isRefused = ['EACCES', 'EPERM'].includes(systemCode(error));
  if (!isRefused) return storeError(error, `reading ${path}`);
  return new CtxError('CTX_STORE_IO', `this user may not read ${path}`, { cause: error });
}

/** Whether `error` says that the file or folder is not there. */
export function isMissing(error: unknown): boolean {
  const system = systemCode(error);
  return system === 'ENOENT' || system === 'ENOTDIR';
}

/** Runs `action` and says whether it worked. For tidying, where nothing acknowledged depends on it. */
export function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
