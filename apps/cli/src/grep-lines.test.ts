import { describe, expect, it } from 'vitest';
import { grepLines } from './grep-lines.ts';

describe('grepLines', () => {
  it('gives the lines that match, with their numbers', () => {
    expect(grepLines(['ok', 'an error', 'fine', 'Error: 2'], 'error|Error')).toEqual([
      { line: 2, text: 'an error' },
      { line: 4, text: 'Error: 2' },
    ]);
  });

  it('refuses what is no pattern', () => {
    expect(() => grepLines(['a'], '(')).toThrow('no regular expression');
  });

  it('stops a pattern that would never end', () => {
    expect(() => grepLines([`${'a'.repeat(60)}!`], '^(a+)+$')).toThrow('needs longer');
  });
});
