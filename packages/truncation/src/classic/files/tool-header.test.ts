import { describe, expect, it } from 'vitest';
import { readToolHeader } from './tool-header.ts';

describe('readToolHeader', () => {
  it('reads the tool, the path and where the content begins', () => {
    const text = "[read_file for 'src/a b.ts'] Result:\none";
    expect(readToolHeader(text)).toEqual({
      toolName: 'read_file',
      path: 'src/a b.ts',
      end: text.length - 3,
    });
  });

  it('takes a path with quotes and dollars in it', () => {
    expect(readToolHeader("[read_file for 'it's $&.ts'] Result:")?.path).toBe("it's $&.ts");
  });

  it.each([
    'plain words',
    '[read_file] Result:\nx',
    "[read file for 'a'] Result:",
    "[read_file for 'a'",
    "[read_file for 'a\nb'] Result:",
    `[${'a'.repeat(6000)} for 'x'] Result:`,
  ])('takes nothing else for a header: %s', (text) => {
    expect(readToolHeader(text)).toBeUndefined();
  });

  it('ends after its line end, also where that is CRLF', () => {
    const text = "[read_file for 'a.ts'] Result:\r\ncontent";
    expect(text.slice(readToolHeader(text)?.end)).toBe('content');
  });
});
