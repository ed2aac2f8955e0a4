import { CtxError } from '@ctx/core';
import { expect, test } from 'vitest';
import { isLostConnection, isTransient, storeError } from './postgres-errors.ts';

const withCode = (code: string, message = 'secret words'): Error =>
  Object.assign(new Error(message), { code });

test.each([
  ['25006', 'CTX_STORE_READ_ONLY'],
  ['28P01', 'CTX_STORE_IO'],
  ['3D000', 'CTX_STORE_IO'],
  ['53100', 'CTX_STORE_FULL'],
  ['53300', 'CTX_STORE_BUSY'],
  ['54000', 'CTX_TOO_LARGE'],
  ['57014', 'CTX_STORE_BUSY'],
  ['XX001', 'CTX_STORE_CORRUPT'],
  ['ECONNREFUSED', 'CTX_STORE_UNREACHABLE'],
  ['57P01', 'CTX_STORE_UNREACHABLE'],
  ['57P03', 'CTX_STORE_UNREACHABLE'],
  ['08006', 'CTX_STORE_UNREACHABLE'],
  ['ENOTFOUND', 'CTX_STORE_UNREACHABLE'],
  ['53000', 'CTX_STORE_BUSY'],
  ['53400', 'CTX_STORE_FULL'],
  ['25P04', 'CTX_STORE_UNREACHABLE'],
  ['58030', 'CTX_STORE_IO'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'CTX_STORE_IO'],
  ['99999', 'CTX_STORE_IO'],
])('%s becomes %s, with nothing of what the driver said', (state, code) => {
  const error = storeError(withCode(state), 'postgres://host/db');
  expect(error.code).toBe(code);
  expect(error.message).toContain('postgres://host/db');
  expect(error.message).not.toContain('secret');
});

test('an error of ctx stays what it is', () => {
  const error = new CtxError('CTX_STORE_CONFLICT', 'x');
  expect(storeError(error, 'here')).toBe(error);
});

test('what may be tried again is told apart', () => {
  expect(['40001', '40P01', '23505'].map((code) => isTransient(withCode(code)))).toEqual([
    ...[true, true, false],
  ]);
  const lost = ['08006', '57P01', 'ECONNRESET', '23505'];
  expect(lost.map((code) => isLostConnection(withCode(code)))).toEqual([true, true, true, false]);
  expect(isLostConnection(new Error('Connection terminated unexpectedly'))).toBe(true);
  // A pool without a free connection is busy, not broken: its next try would wait as long again.
  expect(isLostConnection(new Error('timeout exceeded when trying to connect'))).toBe(false);
});

test('a pooler that refuses a setting is not lost, one that lost its server is', () => {
  const refused = withCode('08P01', 'unsupported startup parameter: statement_timeout');
  expect(isLostConnection(refused)).toBe(false);
  expect(storeError(refused, 'here').message).toContain('ignore_startup_parameters');
  expect(isLostConnection(withCode('08P01', 'server conn crashed?'))).toBe(true);
});

test('what Citus says of lost workers and of shards that moved is tried again, other internal errors are not', () => {
  const said = [
    'could not find valid entry for shard 102008',
    'failure on connection marked as essential: 127.0.0.1:5432',
    'server closed the connection unexpectedly',
    'could not commit transaction for shard 102008 on at least one active node',
    'cache lookup failed for relation 1',
  ].map((message) => withCode('XX000', message));
  expect(said.map(isLostConnection)).toEqual([true, true, true, true, false]);
});

test('a socket that is gone may come back, a file that the URL names does not', () => {
  const missing = (syscall: string) => Object.assign(withCode('ENOENT'), { syscall });
  expect(isLostConnection(missing('connect'))).toBe(true);
  expect(isLostConnection(missing('open'))).toBe(false);
  expect(storeError(missing('open'), 'here').code).toBe('CTX_INVALID_INPUT');
});
