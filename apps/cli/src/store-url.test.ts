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
  ])('%s means %s', (text, meant) => {
    expect(parseStoreUrl(text, from).text).toBe(meant);
  });

  it.each([
    '',
    'ctx.db',
    'postgres://localhost/x',
    'file:./x',
    'sqlite:',
    'sqlite://host/x',
    'fs:a\0b',
    'memory:x',
  ])('%j is refused, and the message names examples', (text) => {
    expect(() => parseStoreUrl(text, from)).toThrow(/sqlite:\.\/ctx\.db, fs:\.\/data/);
  });
});
