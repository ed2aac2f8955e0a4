import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCommands } from './commands.ts';

const session = 'p000111222333444';
const written = (text: string): string => withCommands(text, session);

describe('a line of ctx', () => {
  it.each([
    ['[ctx: left out; ctx://outputs/a-1]', '[ctx: left out; ctx read ctx://outputs/a-1]'],
    ['[Read a.ts → ctx://outputs/a_1]', '[Read a.ts → ctx read ctx://outputs/a_1]'],
    ['[2 answers → ctx://messages/4,6]', `[2 answers → ctx read ${session}/4,6]`],
    [
      '[Bash make → ctx://outputs/a; said → ctx://messages/12-14]',
      `[Bash make → ctx read ctx://outputs/a; said → ctx read ${session}/12-14]`,
    ],
  ])('says the command that an agent runs in its shell: %s', (line, command) => {
    expect(written(line)).toBe(command);
  });

  it('may stand among lines of others, which stay as they are', () => {
    const line = '[Read a.ts → ctx://outputs/a]';
    const text = `see ctx://outputs/a\n${line}\n\n${line}\r\nthe end`;
    const command = '[Read a.ts → ctx read ctx://outputs/a]';
    expect(written(text)).toBe(`see ctx://outputs/a\n${command}\n\n${line}\r\nthe end`);
  });

  it('that has its command already is not changed', () => {
    const line = '[ctx: 40 of 900 lines; ctx read ctx://outputs/a --lines 1-200; ctx://outputs/a]';
    expect(written(line)).toBe(line);
  });
});

it.each([
  ['what a user quotes', 'I read ctx://outputs/a → ctx://messages/4.'],
  ['a line that only begins like one', '[ctx: as in ctx://outputs/a'],
  ['a line that only ends like one', 'Read a.ts → ctx://outputs/a]'],
  ['brackets of something else', '[link](ctx://outputs/a), [see ctx://outputs/a]'],
  ['a list of addresses', '["ctx://outputs/a","ctx: "]'],
  ['an address of something else', '[ctx: ctx://sessions/a]'],
])('%s stays as it is', (_what, text) => {
  expect(written(text)).toBe(text);
});

it('only lines of ctx change, and a second time changes nothing', () => {
  const piece = fc.constantFrom(
    ...['[', ']', '[ctx: ', ' → ', 'ctx://outputs/a', 'ctx://messages/1,2', 'ctx read ', ' ', 'x'],
  );
  const line = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
      const after = written(lines.join('\n')).split('\n');
      expect(after).toHaveLength(Math.max(1, lines.length));
      for (const [index, given] of lines.entries()) {
        if (after[index] !== given) expect(given).toMatch(/^\[(ctx: .*|.* → ctx:\/\/.*)\]$/);
      }
      expect(written(after.join('\n'))).toBe(after.join('\n'));
    }),
  );
});
