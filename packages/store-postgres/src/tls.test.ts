import { isCtxError } from '@ctx/core';
import { afterAll, describe, expect, it } from 'vitest';
import { pgDriver } from './driver/pg-driver.ts';
import { readPostgresUrl } from './driver/postgres-url.ts';
import { postgresBackend } from './postgres-backend.ts';
import { papers } from './test-support/papers.ts';
import { binaryFolder, startLocal } from './test-support/real-server.ts';
import { tlsServer } from './test-support/tls-server.ts';

const tls = await tlsServer();
const why = tls === undefined ? ' (no binaries of PostgreSQL, or no openssl)' : '';

afterAll(async () => {
  await tls?.stop();
});

/** The URL of the server, by a name or address, with parameters. */
function urlOf(host: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(tls?.server.url ?? 'postgres://localhost/x');
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Whether the server says that this connection is encrypted. */
async function isEncrypted(url: string): Promise<unknown> {
  const driver = pgDriver(readPostgresUrl(url).connection, { maxConnections: 1 });
  try {
    const [row] = await driver.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return row?.['ssl'];
  } finally {
    await driver.close();
  }
}

/** What opening a store says. */
async function refusal(url: string): Promise<{ readonly code: string; readonly message: string }> {
  const backend = postgresBackend({ url });
  try {
    await backend.open([papers]);
  } catch (error) {
    if (isCtxError(error)) return { code: error.code, message: error.message };
    throw error;
  } finally {
    await backend.close();
  }
  throw new Error('it was not refused');
}

describe.skipIf(tls === undefined)(`TLS${why}`, () => {
  const authority = tls?.authority ?? '';
  const stranger = tls?.stranger ?? '';

  it.each([
    ['no TLS', 'localhost', {}, false],
    ['any certificate', 'localhost', { sslmode: 'require' }, true],
    [
      'one signed by an authority',
      '127.0.0.1',
      { sslmode: 'verify-ca', sslrootcert: authority },
      true,
    ],
    ['one for this name', 'localhost', { sslmode: 'verify-full', sslrootcert: authority }, true],
  ])('takes what the URL asks for: %s', async (_, host, parameters, expected) => {
    expect(await isEncrypted(urlOf(host, parameters))).toBe(expected);
  });

  it.each([
    [
      'an authority that the machine does not know',
      'localhost',
      { sslmode: 'verify-full' },
      /nobody trusted has signed/,
    ],
    [
      'another authority',
      'localhost',
      { sslmode: 'verify-full', sslrootcert: stranger },
      /nobody trusted has signed/,
    ],
    [
      'another authority, where require names one',
      'localhost',
      { sslmode: 'require', sslrootcert: stranger },
      /nobody trusted has signed/,
    ],
    [
      'another name',
      '127.0.0.1',
      { sslmode: 'verify-full', sslrootcert: authority },
      /another name than that of the URL/,
    ],
  ])('refuses a certificate by %s, and says why', async (_, host, parameters, expected) => {
    const { code, message } = await refusal(urlOf(host, parameters));
    expect(code).toBe('CTX_STORE_IO');
    expect(message).toMatch(expected);
  });

  it('says which file cannot be read', async () => {
    const url = urlOf('localhost', { sslmode: 'verify-full', sslrootcert: '/nowhere/ca.pem' });
    const { code, message } = await refusal(url);
    expect([code, message]).toEqual([
      'CTX_INVALID_INPUT',
      expect.stringMatching(/a file that its URL names/),
    ]);
  });

  it('says that a server takes no TLS', async () => {
    const plain = await startLocal((await binaryFolder()) ?? '');
    const url = new URL(plain.url);
    url.searchParams.set('sslmode', 'require');
    const { code, message } = await refusal(url.href);
    expect([code, message]).toEqual(['CTX_STORE_IO', expect.stringMatching(/takes no TLS/)]);
    await plain.stop();
  });

  it('writes and reads through it', async () => {
    const url = urlOf('localhost', {
      sslmode: 'verify-full',
      sslrootcert: authority,
      schema: 'secret',
    });
    const backend = postgresBackend({ url });
    await backend.open([papers]);
    const key = ['t', 's', 'a'];
    await backend.write([{ type: 'put', collection: 'papers', key, columns: {}, body: '{}' }]);
    expect(await backend.get('papers', [key])).toMatchObject([{ key, version: 1 }]);
    await backend.close();
  });
});
