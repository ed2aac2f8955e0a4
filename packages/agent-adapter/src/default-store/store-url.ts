import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { CtxError } from '@ctx/core';

/** A store in files or memory. */
interface LocalStoreUrl {
  readonly scheme: 'sqlite' | 'fs' | 'memory';
  /** File or folder, absolute; empty for memory. */
  readonly path: string;
  /** The URL with its path made absolute. */
  readonly text: string;
}

/** A store on a server of databases. */
export interface PostgresStoreUrl {
  readonly scheme: 'postgres';
  /** Beside it this machine keeps what it takes out of the store. The store itself is not there. */
  readonly path: string;
  /** The URL to be shown: without password and most parameters. */
  readonly text: string;
  /** The whole URL, to connect by. Never shown, logged or stored by ctx, but in the user's own config. */
  readonly connection: string;
}

/** A store that was named by URL. */
export type StoreUrl = LocalStoreUrl | PostgresStoreUrl;

const examples = 'sqlite:./ctx.db, fs:./data, postgres://user@host/database or memory:';

/** Parameters that say which store it is, and hold no secret. */
const shownParameters = ['host', 'port', 'schema'];

function postgresUrl(text: string, home: string): PostgresStoreUrl {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    const form = 'postgres://user:password@host:port/database?schema=ctx';
    throw new CtxError('CTX_INVALID_OPTION', `a postgres: URL has the form ${form}`);
  }
  const url = new URL(text);
  const shown = new URLSearchParams();
  for (const name of shownParameters) {
    const value = url.searchParams.get(name);
    if (value !== null) shown.set(name, value);
  }
  const user = url.username === '' ? '' : `${url.username}@`;
  const query = shown.size === 0 ? '' : `?${shown.toString()}`;
  const place = `postgres://${user}${url.host}${url.pathname}${query}`;
  const digest = createHash('sha256').update(place).digest('hex').slice(0, 16);
  const path = resolve(home, '.ctx', `postgres-${digest}`);
  return { scheme: 'postgres', path, text: place, connection: text };
}

function absolutePath(path: string, from: { cwd: string; home: string }): string {
  // Only `scheme:///path` has an authority, an empty one.
  const plain = path.startsWith('///') ? path.slice(2) : path;
  if (plain === '~' || plain.startsWith('~/')) return resolve(from.home, `.${plain.slice(1)}`);
  return isAbsolute(plain) ? plain : resolve(from.cwd, plain);
}

/** Without a scheme, or with the letter of a drive (`C:\\ctx.db`), a text is a path. */
const isPath = (text: string): boolean => !text.includes(':') || /^(?:[a-z]:)?[\\/.~]/i.test(text);

function kindOfPath(path: string): 'sqlite' | 'fs' | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return 'fs';
  return /\.(?:db|sqlite3?)$/i.test(path) ? 'sqlite' : undefined;
}

/** Returns the URL of a path that tells what it is: a file named as SQLite files are, or a folder that exists. */
function urlOfPath(path: string, from: { cwd: string; home: string }): StoreUrl {
  const absolute = path === '' || path.includes('\0') ? '' : absolutePath(path, from);
  const scheme = absolute === '' ? undefined : kindOfPath(absolute);
  if (scheme !== undefined) return { scheme, path: absolute, text: `${scheme}:${absolute}` };
  const what = `'${path.slice(0, 200)}' does not say which kind of store it is`;
  throw new CtxError('CTX_INVALID_OPTION', `${what}; use ${examples}`);
}

function localUrl(scheme: string, path: string, from: { cwd: string; home: string }): StoreUrl {
  if (scheme !== 'sqlite' && scheme !== 'fs') {
    const what = `no store has the scheme '${scheme.slice(0, 40)}'`;
    throw new CtxError('CTX_INVALID_OPTION', `${what}; use ${examples}`);
  }
  if (path === '' || path.includes('\0') || /^\/\/([^/]|$)/.test(path)) {
    throw new CtxError('CTX_INVALID_OPTION', `a ${scheme}: URL names a path, such as ${examples}`);
  }
  const absolute = absolutePath(path, from);
  return { scheme, path: absolute, text: `${scheme}:${absolute}` };
}

/**
 * Reads a store URL, or the path of a database file (`.db`, `.sqlite`) or of a folder that exists. Paths are relative to `from.cwd`, and
 * `~` is the home folder.
 *
 * @throws `CTX_INVALID_OPTION` for a scheme that ctx does not have, or a missing path; the message holds no password.
 */
export function parseStoreUrl(text: string, from: { cwd: string; home: string }): StoreUrl {
  if (isPath(text)) return urlOfPath(text, from);
  const colon = text.indexOf(':');
  const scheme = text.slice(0, colon);
  const path = text.slice(colon + 1);
  if (scheme === 'memory' && path === '') return { scheme, path: '', text: 'memory:' };
  if (scheme === 'postgres' || scheme === 'postgresql') return postgresUrl(text, from.home);
  return localUrl(scheme, path, from);
}

/** Whether the store is a file or folder of this machine. */
export function hasFiles({ scheme }: StoreUrl): boolean {
  return scheme === 'sqlite' || scheme === 'fs';
}
