import { describe, expect, it } from 'vitest';
import { outputIdOf, pointerUri } from './pointer-uri.ts';

describe('pointers', () => {
  it('come back as the id they were made of', () => {
    expect(outputIdOf(pointerUri('readFile_a1b2c3_17_0_x9'))).toBe('readFile_a1b2c3_17_0_x9');
  });

  it('may be written as the bare id, with white space around', () => {
    expect(outputIdOf(' Bash_1 \n')).toBe('Bash_1');
  });

  it.each([
    '',
    '../x',
    'ctx://outputs/',
    'ctx://outputs/../x',
    'ctx://items/a',
    'a b',
    '-a',
    'a'.repeat(129),
  ])('refuse %j', (text) => {
    expect(() => outputIdOf(text)).toThrow('a pointer looks like');
  });
});
