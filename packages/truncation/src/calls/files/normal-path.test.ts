import { describe, expect, it } from 'vitest';
import { normalPath } from './normal-path.ts';

describe('normalPath', () => {
  it.each([
    ['./a', 'a'],
    ['a//b', 'a/b'],
    ['a\\b', 'a/b'],
    ['a/./b/', 'a/b'],
    ['/a/b', '/a/b'],
    ['C:\\a\\b.ts', 'C:/a/b.ts'],
    ['c:\\a\\b.ts', 'C:/a/b.ts'],
    ['n:1', 'n:1'],
    ['.\\src\\\\x y$&.ts', 'src/x y$&.ts'],
    ['../a', '../a'],
    ['.hidden', '.hidden'],
  ])('writes %s as %s', (path, expected) => {
    expect(normalPath(path)).toBe(expected);
  });

  it('tells upper from lower case unless asked not to', () => {
    expect(normalPath('A.ts')).not.toBe(normalPath('a.ts'));
    expect(normalPath('A.ts', { ignoreCase: true })).toBe('a.ts');
  });

  it('keeps a path from the root apart from one that is not', () => {
    expect(normalPath('/a')).not.toBe(normalPath('a'));
  });
});
