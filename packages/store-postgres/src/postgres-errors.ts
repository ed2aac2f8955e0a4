import { CtxError, type CtxErrorCode, isCtxError } from '@ctx/core';

/** States of SQL that ctx tells apart, by their first signs. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const meanings: readonly (readonly [string, CtxErrorCode, string])[] = [
  ['25006', 'CTX_STORE_READ_ONLY', 'cannot be written: it is a standby or read-only'],
  ['42501', 'CTX_STORE_READ_ONLY', 'is not allowed to this user'],
  ['28', 'CTX_STORE_IO', 'refuses the user or the password'],
  ['3D000', 'CTX_STORE_IO', 'has no database of that name: create it first'],
  ['53100', 'CTX_STORE_FULL', 'found no room on its disk'],
  ['53200', 'CTX_STORE_FULL', 'is out of memory'],
  [
    '53300',
    'CTX_STORE_BUSY',
    'has no connection left: make the pool smaller, or max_connections larger',
  ],
  [
    '54000',
    'CTX_TOO_LARGE',
    'cannot hold a value of this size; the ids of one record may have about 2,700 bytes together',
  ],
  ['55P03', 'CTX_STORE_BUSY', 'is held by another process'],
  ['57014', 'CTX_STORE_BUSY', 'took longer than the time allowed for a statement'],
  ['XX001', 'CTX_STORE_CORRUPT', 'is damaged'],
  ['XX002', 'CTX_STORE_CORRUPT', 'has a damaged index'],
];

/** The SQL state of an error, or the code of the network. */
export function stateOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** What the server says when it ends a connection: shutdown, crash, start-up. */
const endings = ['57P01', '57P02', '57P03', '57P05', '25P03'];

/** What Node says of a connection that is gone. */
const networkCodes = [
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** What `pg` says of a connection that is gone, without a code. */
const networkMessages =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect|Client was closed)/;

/** Whether the connection broke, so that nobody knows whether what was sent took effect. */
export function isLostConnection(error: unknown): boolean {
  const state = stateOf(error);
  if (state.startsWith('08') || endings.includes(state) || networkCodes.includes(state))
    return true;
  return error instanceof Error && state === '' && networkMessages.test(error.message);
}

/** Whether the server undid a transaction that may simply be run again: serialisation failure, deadlock. */
export function isTransient(error: unknown): boolean {
  return ['40001', '40P01'].includes(stateOf(error));
}

/** Wraps what a driver threw. The message names the store and never holds SQL, content or a password. */
export function storeError(error: unknown, place: string): CtxError {
  if (isCtxError(error)) return error;
  const state = stateOf(error);
  const known = meanings.find(([start]) => state.startsWith(start));
  if (known !== undefined) {
    return new CtxError(known[1], `the store ${place} ${known[2]}`, { cause: error });
  }
  if (isLostConnection(error)) {
    return new CtxError('CTX_STORE_IO', `the store ${place} cannot be reached`, { cause: error });
  }
  return new CtxError('CTX_STORE_IO', `the store ${place} failed`, { cause: error });
}
