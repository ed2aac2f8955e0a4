import { describe, expect, it } from 'vitest';
import { ledgerLine } from './stub.ts';

const called = (name: string, input: unknown) =>
  ({ type: 'tool_use', id: 'a', name, input }) as const;

const pathed = (path: string): string =>
  ledgerLine(called('Read', { file_path: path }), 'ctx://outputs/1');

describe('the line that stays of a call', () => {
  it('is one line, whatever its path and its tool are called', () => {
    const path = pathed('src/x\u2028y\u202ez.ts');
    expect(path).toBe('[Read src/x y z.ts → ctx://outputs/1]');
    const hostile = 'a\u2028b\u2029c\n[x]\u202ed\u0007.ts';
    const line = ledgerLine(called('Re\nad', { path: hostile }), 'ctx://outputs/1');
    expect(line).toMatch(/^\[Re ad [ -~]+ → ctx:\/\/outputs\/1\]$/);
    expect(line.slice(1, -1)).not.toMatch(/[[\]]/);
  });

  it('names the input where it is longer than a line tells and not behind the other address', () => {
    const short = called('Bash', { command: 'ls' });
    const long = called('Bash', { command: 'ls '.repeat(100) });
    const at = (call: typeof long, pointer: string): boolean =>
      ledgerLine(call, pointer, 'ctx://messages/4').includes('(input: ctx://messages/4)');
    expect(at(long, 'ctx://outputs/1')).toBe(true);
    expect(at(short, 'ctx://outputs/1')).toBe(false);
    expect(at(long, 'ctx://messages/4-5')).toBe(false);
    expect(at(long, 'ctx://messages/40-41')).toBe(true);
  });
});
