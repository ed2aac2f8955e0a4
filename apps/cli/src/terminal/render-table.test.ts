import { describe, expect, it } from 'vitest';
import type { Screen } from '../cli-host.ts';
import { renderList, renderTable, type TableColumn } from './render-table.ts';

function contextOf(columns: number, isTty = true): Screen {
  const channel = { isTty, columns, isClosed: () => false, write: async () => undefined };
  return {
    host: {
      env: {},
      cwd: '/',
      out: channel,
      err: channel,
      signal: new AbortController().signal,
      endAtOnce: () => undefined,
      folders: async () => ({ home: '/', config: '/', data: '/' }),
      readInput: async () => undefined,
      confirm: async () => undefined,
    },
    hasColor: false,
  };
}

const columns: readonly TableColumn[] = [
  { title: 'pointer', isWhole: true },
  { title: 'tokens', align: 'right' },
  { title: 'call', isFlexible: true },
];
const pointer = 'ctx://outputs/Read_0a1b2c3d_1700000000000_12';
const call = 'Read: /home/somebody/a/long/path/to/a/file/that/goes/on/and/on.ts';

describe('renderTable', () => {
  it('cuts the flexible column to what a terminal has left', () => {
    const text = renderTable(contextOf(90), columns, [[pointer, '1,234', call]]);
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^ctx:.* {2}1,234 {2}Read: \/home.*…$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
  });

  it('puts cells under each other on a narrow terminal, and cuts no pointer', () => {
    const text = renderTable(contextOf(60), columns, [[pointer, '1,234', call]]);
    expect(text.split('\n')).toEqual([
      'pointer  tokens  call',
      `${pointer}  1,234`,
      '  Read: /home/somebody/a/long/path/to/a/file/that/goes/on/a…',
      '',
    ]);
    const narrow = renderTable(contextOf(30), columns, [[pointer, '1,234', call]]);
    expect(narrow).toContain(`${pointer}\n`);
    for (const line of narrow.split('\n')) {
      if (line !== pointer) expect(line.length).toBeLessThanOrEqual(30);
    }
  });

  it('leaves a pipe one row a line, and figures without a list as they are', () => {
    const piped = renderTable(contextOf(30, false), columns, [[pointer, '1,234', call]]);
    expect(piped.trimEnd().split('\n')).toHaveLength(2);
    const figures = [{ title: 'policy' }, { title: 'tokens', align: 'right' }] as const;
    const text = renderTable(contextOf(5), figures, [['none', '1,234,567']]);
    expect(text).toBe('policy     tokens\nnone    1,234,567\n');
  });

  it('shows hidden signs, and puts the line of a row under it', () => {
    const entries = [{ cells: [pointer, '1', 'a\u001b[31mb'], below: '  3: found' }];
    for (const width of [200, 50]) {
      const text = renderList(contextOf(width), columns, entries);
      expect(text).toContain(String.raw`a\u001b[31mb`);
      expect(text).toMatch(/\n {2}3: found\n$/);
    }
  });
});
