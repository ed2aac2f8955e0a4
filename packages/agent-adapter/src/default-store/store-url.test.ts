import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseStoreUrl } from './store-url.ts';

const from = { cwd: '/project', home: '/home/me' };

describe('a store URL', () => {
  it.each([
    ['sqlite:./ctx.db', 'sqlite:/project/ctx.db'],
    ['sqlite:ctx.db', 'sqlite:/project/ctx.db'],
    ['sqlite:/var/ctx.db', 'sqlite:/var/ctx.db'],
    ['sqlite:///var/ctx.db', 'sqlite:/var/ctx.db'],
    ['fs:./data', 'fs:/project/data'],
    ['fs:~/data', 'fs:/home/me/data'],
    ['memory:', 'memory:'],
    ['postgres://localhost/x', 'postgres://localhost/x'],
    ['postgresql://me@db:6432/x?schema=team', 'postgres://me@db:6432/x?schema=team'],
    ['postgres:///x?host=/var/run/postgresql', 'postgres:///x?host=%2Fvar%2Frun%2Fpostgresql'],
  ])('%s means %s', (text, meant) => {
    expect(parseStoreUrl(text, from).text).toBe(meant);
  });

  it.each([
    '',
    'ctx',
    './ctx',
    '/no/such/folder',
    'file:./x',
    'sqlite:',
    'sqlite://host/x',
    'fs:a\0b',
    'memory:x',
  ])('%j is refused, and the message names examples', (text) => {
    expect(() => parseStoreUrl(text, from)).toThrow(/sqlite:\.\/ctx\.db, fs:\.\/data/);
  });

  it('is a path, too, where the path tells what it is', () => {
    expect(parseStoreUrl('/var/ctx.db', from).text).toBe('sqlite:/var/ctx.db');
    expect(parseStoreUrl('ctx.sqlite', from).text).toBe('sqlite:/project/ctx.sqlite');
    expect(parseStoreUrl('~/c.db', from).text).toBe('sqlite:/home/me/c.db');
    expect(parseStoreUrl(tmpdir(), from).text).toBe(`fs:${tmpdir()}`);
    const drive = parseStoreUrl(String.raw`C:\Users\me\ctx.db`, from);
    expect(drive.scheme).toBe('sqlite');
  });

  it('shows no password, wherever it stands, and connects by it', () => {
    const url = 'postgres://me:s3cret@db/x?password=s3cret&sslpassword=s3cret&sslmode=verify-full';
    const read = parseStoreUrl(url, from);
    expect(read.text).toBe('postgres://me@db/x');
    expect(read).toMatchObject({ scheme: 'postgres', connection: url });
    expect(read.path).toMatch(/^\/home\/me\/\.ctx\/postgres-[0-9a-f]{16}$/);
  });

  it.each(['postgres:x:s3cret', 'postgres://me:s3cret@db:port/x'])(
    '%s is refused without being repeated',
    (text) => {
      expect(() => parseStoreUrl(text, from)).toThrow(/^a postgres: URL has the form [^3]+$/);
    },
  );
});
