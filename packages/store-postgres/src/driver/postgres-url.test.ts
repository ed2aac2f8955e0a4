import { expect, test } from 'vitest';
import { readPostgresUrl } from './postgres-url.ts';

test('the schema is taken out of the URL, and the rest is left to the driver', () => {
  const read = readPostgresUrl('postgres://me:secret@db:6432/ctx?schema=team&sslmode=verify-full');
  expect(read).toEqual({
    connection: 'postgres://me:secret@db:6432/ctx?sslmode=verify-full&uselibpqcompat=true',
    schema: 'team',
    place: 'postgres://db:6432/ctx',
  });
});

test('a folder of sockets may stand for the host', () => {
  const { place } = readPostgresUrl('postgresql:///ctx?host=/var/run/postgresql');
  expect(place).toBe('postgres:///var/run/postgresql/ctx');
});

test.each(['http://me:secret@db/ctx', 'postgres:secret', 'postgres://me:secret@db:port/ctx'])(
  '%s is refused, and its password not repeated',
  (text) => {
    expect(() => readPostgresUrl(text)).toThrow(/^url must be of the form/);
  },
);

test.each(['prefer', 'allow', 'no-verify', 'x'])(
  'sslmode=%s is refused: it could do without TLS',
  (mode) => {
    expect(() => readPostgresUrl(`postgres://me:secret@db/ctx?sslmode=${mode}`)).toThrow(
      /^sslmode must be one of disable, require, verify-ca, verify-full$/,
    );
  },
);

test('verify-ca without a certificate to check by is refused', () => {
  const url = 'postgres://me:secret@db/ctx?sslmode=verify-ca';
  expect(() => readPostgresUrl(url)).toThrow(/needs sslrootcert/);
  expect(readPostgresUrl(`${url}&sslrootcert=ca.pem`).place).toBe('postgres://db/ctx');
});
