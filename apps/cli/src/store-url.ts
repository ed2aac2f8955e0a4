import { isAbsolute, resolve } from 'node:path';
import { CtxError } from '@ctx/core';

/** A store that was named by URL. */
export interface StoreUrl {
  readonly scheme: 'sqlite' | 'fs' | 'memory';
  /** File or folder, absolute; empty for memory. */
  readonly path: string;
  /** The URL with its path made absolute. */
  readonly text: string;
}

const examples = 'sqlite:./ctx.db, fs:./data or memory:';

function absolutePath(path: string, from: { cwd: string; home: string }): string {
  // Only `scheme:///path` has an authority, an empty one.
  const plain = path.startsWith('///') ? path.slice(2) : path;
  if (plain === '~' || plain.startsWith('~/')) return resolve(from.home, `.${plain.slice(1)}`);
  return isAbsolute(plain) ? plain : resolve(from.cwd, plain);
}

/**
 * Reads a store URL; paths are relative to `from.cwd`, and `~` is the home folder.
 * Throws: `CTX_INVALID_INPUT` for a scheme that ctx does not have, or where the path is missing.
 */
export function parseStoreUrl(text: string, from: { cwd: string; home: string }): StoreUrl {
  const colon = Math.max(0, text.indexOf(':'));
  const scheme = text.slice(0, colon);
  const path = text.slice(colon + 1);
  if (scheme === 'memory' && path === '') return { scheme, path: '', text: 'memory:' };
  if (scheme !== 'sqlite' && scheme !== 'fs') {
    const what = `no store has the scheme '${scheme.slice(0, 40)}'`;
    throw new CtxError('CTX_INVALID_INPUT', `${what}; use ${examples}`);
  }
  if (path === '' || path.includes('\0') || /^\/\/([^/]|$)/.test(path)) {
    throw new CtxError('CTX_INVALID_INPUT', `a ${scheme}: URL names a path, such as ${examples}`);
  }
  const absolute = absolutePath(path, from);
  return { scheme, path: absolute, text: `${scheme}:${absolute}` };
}
