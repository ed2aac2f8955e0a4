import { describe, expect, it } from 'vitest';
import { isFileRead } from './file-tools.ts';

describe('isFileRead', () => {
  it.each([
    ['Read', { file_path: '/a' }],
    ['read_file', {}],
    ['str_replace_editor', { command: 'view', path: '/a' }],
    ['Bash', { command: 'cat src/a.ts' }],
    ['bash', { command: "  sed -n '1,40p' a.ts" }],
    ['shell', { cmd: 'cat\ta.ts\n' }],
    ['shell', { command: ['cat', 'a'] }],
    ['Bash', { command: "cd src && sed -n '1,40p' a.ts" }],
    ['Bash', { command: 'nl -ba a.ts | head -50' }],
    ['read_file_range', { filepath: 'a.ts', startLine: 1 }],
  ])('takes %s %j for a read', (name, args) => {
    expect(isFileRead(name, args)).toBe(true);
  });

  it.each([
    ['Bash', { command: 'cat a | wc' }],
    ['Bash', { command: 'cat a > b' }],
    ['Bash', { command: 'npm test' }],
    ['Bash', { command: 'cat `x`' }],
    ['Bash', { command: 'cat a\nnpm test' }],
    ['Bash', { command: 'cat a\r\nnpm test' }],
    ['Bash', { command: 'catalog a' }],
    ['Bash', { command: 'sed -i s/a/b/ a.ts' }],
    ['str_replace_editor', { command: 'create', path: '/a' }],
    ['Grep', { pattern: 'x' }],
    ['Bash', null],
    ['Bash', Object.create({ command: 'cat a' })],
  ])('does not take %s %j for a read', (name, args) => {
    expect(isFileRead(name, args)).toBe(false);
  });

  it('takes the names that the caller hands in instead', () => {
    expect(isFileRead('slurp', {}, new Set(['slurp']))).toBe(true);
    expect(isFileRead('Read', {}, new Set(['slurp']))).toBe(false);
  });
});
