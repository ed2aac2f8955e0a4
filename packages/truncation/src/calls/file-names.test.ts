import { describe, expect, it } from 'vitest';
import { createFileNames } from './file-names.ts';

describe('the name of a file', () => {
  it('is the same for a relative path and the absolute one that ends with it, whichever came first', () => {
    const names = createFileNames();
    expect(names.nameOf('src/a.ts')).toBe('src/a.ts');
    expect(names.nameOf('/work/src/a.ts')).toBe('src/a.ts');
    expect(names.nameOf('/work/lib/b.ts')).toBe('/work/lib/b.ts');
    expect(names.nameOf('lib/b.ts')).toBe('/work/lib/b.ts');
  });

  it('is another one for a file whose path only ends in the same letters, and for another absolute path', () => {
    const names = createFileNames();
    expect(names.nameOf('/work/src/data.ts')).toBe('/work/src/data.ts');
    expect(names.nameOf('a.ts')).toBe('a.ts');
    expect(names.nameOf('/other/src/data.ts')).toBe('/other/src/data.ts');
  });

  it('is that of the file which was named last, where several end alike', () => {
    const names = createFileNames();
    names.nameOf('/one/index.ts');
    names.nameOf('/two/index.ts');
    expect(names.nameOf('index.ts')).toBe('/two/index.ts');
    names.nameOf('/one/index.ts');
    expect(names.nameOf('/one/index.ts')).toBe('/one/index.ts');
  });
});
