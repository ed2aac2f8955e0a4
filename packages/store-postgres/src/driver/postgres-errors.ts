import { CtxError, type CtxErrorCode, isCtxError } from '@ctx/core';

/** States of SQL that ctx tells apart, by their first signs. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const meanings: readonly (readonly [string, CtxErrorCode, string])[] = [
  ['25006', 'CTX_STORE_READ_ONLY', 'cannot be written: it is a standby or read-only'],
  ['42501', 'CTX_STORE_READ_ONLY', 'is not allowed to this user'],
  ['28', 'CTX_STORE_IO', 'refuses the user or the password'],
  ['3D000', 'CTX_STORE_IO', 'has no database of that name: create it first'],
  ['ENOTFOUND', 'CTX_STORE_UNREACHABLE', 'has an unknown host'],
  ['53100', 'CTX_STORE_FULL', 'found no room on its disk'],
  ['53200', 'CTX_STORE_FULL', 'is out of memory'],
  [
    '53300',
    'CTX_STORE_BUSY',
    'has no connection left: make the pool smaller, or max_connections larger',
  ],
  ['53400', 'CTX_STORE_FULL', 'may take no more room for what it sorts: see temp_file_limit'],
  ['53', 'CTX_STORE_BUSY', 'has too little of something left, such as open files: see its log'],
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

/** A key that is there already. */
export const uniqueViolation = '23505';

/** The states under which Citus tells what it has no state for, among it what a worker said of rows that were copied to it. */
const citusStates = ['XX000', '58030'];

/**
 * What Citus says under them, and the state that it stands for. The first are of a worker that is gone, or of a shard that was split or
 * moved beneath a statement: nothing of it was done, or that is unknown.
 */
const citusMessages: readonly (readonly [RegExp, string])[] = [
  [/^could not find valid entry for shard|^no active placements were found/, '08006'],
  [/^failure on connection marked as essential|^execution cannot recover from/, '08006'],
  [/^could not commit transaction for shard|^failed to prepare transaction/, '08006'],
  [/^failed to COPY to shard|^failed to complete COPY/, '08006'],
  [/^server closed the connection|^no connection to the server|^connection not open/, '08006'],
  [/^could not (receive data from|send data to) server|^SSL (connection|SYSCALL|error)/, '08006'],
  [/^terminating connection|^the database system is/, '57P01'],
  [/^canceling statement/, '57014'],
  [/^deadlock detected/, '40P01'],
  [/^could not serialize access/, '40001'],
  [/^duplicate key value/, uniqueViolation],
  [/^cannot execute .* in a read-only transaction/, '25006'],
  [/: No space left on device$/, '53100'],
];

/** The SQL state of an error, or the code of the network. */
export function stateOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  const { code } = error;
  if (typeof code !== 'string') return '';
  if (!citusStates.includes(code) || !(error instanceof Error)) return code;
  return citusMessages.find(([said]) => said.test(error.message))?.[1] ?? code;
}

/** What a statement of ours makes on purpose where it finds what may not be. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const divisionByZero = '22012';

/** What the server says when it ends a connection: shutdown, crash, start-up, a time that is over; `40003`: when it does not know. */
const endings = ['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '40003'];

/** What Node says of a connection that is gone. */
const networkCodes = [
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ECONNABORTED',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENETRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
];

/** What `pg` says of a connection that is gone, without a code. */
const networkMessages =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|Client was closed|timeout expired|There was an error establishing an SSL)/;

/** What OpenSSL and Node say of a certificate that they do not trust. Source: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const untrusted = [
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_SIGNATURE_FAILURE'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_UNTRUSTED'],
];

/** What comes with no state of SQL, by code or by the beginning of its message. */
const others: readonly (readonly [readonly string[], CtxErrorCode, string])[] = [
  [
    untrusted,
    'CTX_STORE_IO',
    'shows a certificate that nobody trusted has signed: see sslrootcert',
  ],
  [
    ['ERR_TLS_CERT_ALTNAME_INVALID'],
    'CTX_STORE_IO',
    'shows a certificate of another name than that of the URL',
  ],
  [['The server does not support SSL'], 'CTX_STORE_IO', 'takes no TLS, which sslmode asks for'],
  [
    ['unsupported startup parameter'],
    'CTX_STORE_IO',
    'is behind a pooler that refuses statement_timeout: let it ignore that (ignore_startup_parameters of PgBouncer), and set it for the role',
  ],
  [
    ['timeout exceeded when trying to connect'],
    'CTX_STORE_BUSY',
    'has calls waiting for all connections of this process: see maxConnections and connectTimeoutMs',
  ],
];

/** What a pooler says in its own words; the state is that of a broken protocol, also where it only lost its server. */
const poolerState = '08P01';

/** Whether an error has no state of SQL that tells it. */
function isUnnamed(state: string): boolean {
  return state === '' || state === poolerState;
}

function otherMeaning(error: unknown): (typeof others)[number] | undefined {
  const state = stateOf(error);
  const message = error instanceof Error ? error.message : '';
  return others.find(([signs]) =>
    signs.some((sign) => sign === state || (isUnnamed(state) && message.startsWith(sign))),
  );
}

/** Whether a system call of this name failed because there is nothing of that path. */
function isMissing(error: unknown, call: 'connect' | 'open'): boolean {
  if (stateOf(error) !== 'ENOENT' || !(error instanceof Error)) return false;
  return 'syscall' in error && error.syscall === call;
}

/** Whether the connection broke, so that it is unknown whether what was sent took effect. */
export function isLostConnection(error: unknown): boolean {
  const state = stateOf(error);
  if (state === poolerState && otherMeaning(error) !== undefined) return false;
  if (state.startsWith('08') || endings.includes(state) || networkCodes.includes(state))
    return true;
  // The socket in a folder is gone while the server starts anew.
  if (isMissing(error, 'connect')) return true;
  return state === '' && error instanceof Error && networkMessages.test(error.message);
}

/** Whether the server undid a transaction that may simply be run again: serialisation failure, deadlock. */
export function isTransient(error: unknown): boolean {
  return ['40001', '40P01'].includes(stateOf(error));
}

/** Wraps what a driver threw. The message names the store and never holds SQL, content or a password. */
export function storeError(error: unknown, place: string): CtxError {
  if (isCtxError(error)) return error;
  const state = stateOf(error);
  const known = meanings.find(([start]) => state.startsWith(start)) ?? otherMeaning(error);
  if (known !== undefined) {
    return new CtxError(known[1], `the store ${place} ${known[2]}`, { cause: error });
  }
  if (isMissing(error, 'open')) {
    const message = `the store ${place} cannot be reached: a file that its URL names cannot be read`;
    return new CtxError('CTX_INVALID_INPUT', message, { cause: error });
  }
  if (isLostConnection(error)) {
    const message = `the store ${place} cannot be reached`;
    return new CtxError('CTX_STORE_UNREACHABLE', message, { cause: error });
  }
  return new CtxError('CTX_STORE_IO', `the store ${place} failed`, { cause: error });
}
