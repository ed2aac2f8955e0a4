import { access } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { CtxError } from '@ctx/core';

const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ERR_MODULE_NOT_FOUND']);

/**
 * Loads a module of the user and returns the first of its exports with one of these names.
 * @throws `CTX_NOT_FOUND`; `CTX_INVALID_INPUT` if the module fails.
 */
export async function loadExport(path: string, names: readonly string[]): Promise<unknown> {
  let module: unknown;
  try {
    await access(path);
    module = await import(pathToFileURL(path).href);
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && missing.has(String(cause.code));
    const code = isMissing ? 'CTX_NOT_FOUND' : 'CTX_INVALID_INPUT';
    throw new CtxError(code, `the module ${path} cannot be loaded`, { cause });
  }
  if (typeof module !== 'object' || module === null) return undefined;
  const exported = new Map<string, unknown>(Object.entries(module));
  return names.map((name) => exported.get(name)).find((each) => each !== undefined);
}
