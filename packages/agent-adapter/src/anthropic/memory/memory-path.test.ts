import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldersAbove, memoryPath, memoryRoot } from './memory-path.ts';

const root = '/memories';

describe('a path of a memory', () => {
  it('is the root, or lies below it', () => {
    expect(memoryPath('/memories', root)).toBe('/memories');
    expect(memoryPath('/memories/', root)).toBe('/memories');
    expect(memoryPath('/memories/notes/a b.md', root)).toBe('/memories/notes/a b.md');
    expect(memoryPath('/memories/notes/', root)).toBe('/memories/notes');
  });

  it.each([
    '',
    '/',
    '/etc/passwd',
    'memories/a',
    '/memories-evil/a',
    '/memoriesa',
    '/memories/../etc/passwd',
    '/memories/..',
    '/memories/./a',
    '/memories/a/../../b',
    '/memories//a',
    '/memories/%2e%2e/a',
    '/memories/..%2fa',
    '/memories/%252e',
    '/memories/a\u0000b',
    '/memories/a\nb',
    '/memories/a\\..\\b',
    'C:\\memories\\a',
    '/memories/\ud800',
    `/memories/${'a'.repeat(256)}`,
    `/memories/${'ab/'.repeat(400)}c`,
  ])('is refused where it might mean another place: %j', (path) => {
    expect(() => memoryPath(path, root)).toThrow(
      expect.objectContaining({ code: 'CTX_NOT_ALLOWED' }),
    );
  });

  it('stays the same when it is checked again, and never leaves the root', () => {
    const sign = fc.constantFrom('/', '.', '..', 'a', '%', '2e', '\\', '\u0000', '~', ' ', 'é');
    fc.assert(
      fc.property(fc.array(sign), (signs) => {
        const given = `/memories/${signs.join('')}`;
        let path: string;
        try {
          path = memoryPath(given, root);
        } catch {
          return;
        }
        expect(memoryPath(path, root)).toBe(path);
        const { pathname } = new URL(`file://${encodeURI(path).replaceAll('%25', '%')}`);
        expect(pathname.startsWith('/memories')).toBe(true);
        expect(path.split('/')).not.toContain('..');
      }),
    );
  });

  it('has the folders above it that are not the root', () => {
    expect(foldersAbove('/memories/a/b/c', root)).toEqual(['/memories/a/b', '/memories/a']);
    expect(foldersAbove('/memories/a', root)).toEqual([]);
    expect(foldersAbove('/memories', root)).toEqual([]);
  });
});

it('takes no root that is no path', () => {
  for (const wrong of ['', '/', 'memories', '/a/../b', '/a/']) {
    expect(() => memoryRoot(wrong)).toThrow(/root must be a path/);
  }
  expect(memoryRoot('/deep/root')).toBe('/deep/root');
});
