import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressText } from './compress-text.ts';
import { columnsOf } from './rare-rows.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const countTokens = (text: string): number => Math.ceil(text.length / 4);
const judge = (text: string) => compressText({ text, tokens: countTokens(text), countTokens });

const places = fc.uniqueArray(fc.nat(499), { minLength: 1, maxLength: 12 });
const word = fc.stringMatching(/^[a-z]{3,10}$/);

/** Tables as programs print them: from heads and rows to lines. */
const forms: Readonly<Record<string, (rows: readonly string[][]) => string[]>> = {
  'separated by commas': (rows) => rows.map((cells) => cells.join(',')),
  'separated by tabs': (rows) => rows.map((cells) => cells.join('\t')),
  'of psql': (rows) => {
    const [head = [], ...others] = rows.map((cells) => ` ${cells.join(' | ')}`);
    return [String(head), '----+----+----', ...others, `(${String(others.length)} rows)`];
  },
  'of mysql': (rows) => {
    const [head = '', ...others] = rows.map((cells) => `| ${cells.join(' | ')} |`);
    return ['+----+----+----+', head, '+----+----+----+', ...others, '+----+----+----+'];
  },
  'of a command': (rows) => rows.map((cells) => cells.map((cell) => cell.padEnd(24)).join('')),
};

for (const [name, print] of Object.entries(forms)) {
  test(`a table ${name} shows its heads and every row with a rare value as it stands`, () => {
    fc.assert(
      fc.property(places, word, (at, rare) => {
        const rows = Array.from({ length: 500 }, (_row, index) => [
          `item ${String(index)}`,
          at.includes(index) ? `odd-${rare}` : 'usual',
          String(index % 9),
        ]);
        const lines = print([['name', 'state', 'size'], ...rows]);
        const { kind, compressed } = judge(lines.join('\n'));
        expect(kind).toBe('table');
        const shown = compressed?.shown.split('\n') ?? [];
        const heads = lines.find((line) => line.includes('state'));
        expect(shown).toContain(heads);
        for (const line of lines) if (line.includes('odd-')) expect(shown).toContain(line);
        expect(shown.length).toBeLessThan(60);
      }),
      { numRuns: 50 * share },
    );
  });
}

test('a comma between quotes separates no column', () => {
  const rows = Array.from({ length: 300 }, (_row, index) => `${String(index)},"Doe, Jo",usual`);
  rows[123] = '123,"Doe, Jo",odd';
  const { kind, compressed } = judge(['id,name,state', ...rows].join('\n'));
  expect(kind).toBe('table');
  expect(compressed?.shown).toContain('123,"Doe, Jo",odd');
  expect(compressed?.shown).toContain('numbers: id 0 to 299');
});

const noTables: Readonly<Record<string, (index: number) => string>> = {
  prose: (index) => `It was day ${String(index)}, they said, and all that they had, was gone`,
  code: (index) => `  call(first, ${String(index)}, third);`,
  'a log': (index) => `2026-01-01 10:00:00,INFO,request ${String(index)} was served`,
};

test.each(Object.keys(noTables))('%s is no table', (name) => {
  const lines = Array.from({ length: 300 }, (_line, index) => noTables[name]?.(index) ?? '');
  expect(judge(lines.join('\n')).kind).not.toBe('table');
});

test('where not all rows unlike the others have room, those that speak of trouble are shown', () => {
  const name = (index: number): string => ((index * 7919) % 10007).toString(36).padStart(5, 'x');
  const isBad = (index: number): boolean => index % 100 === 7;
  const rows = Array.from({ length: 9000 }, (_row, index) => ({
    id: index,
    status: isBad(index) ? 'failed' : 'ok',
    name: name(index % 4000),
    note: `${index % 15 === 3 ? 'seldom' : 'usual'} ${name(index)}`.repeat(3),
    kind: index % 12 === 5 ? `k${String(index % 97)}` : 'k',
  }));
  const { kind, compressed } = judge(JSON.stringify(rows));
  expect(kind).toBe('JSON rows');
  expect(compressed?.left.join()).toMatch(/of them unlike the others/);
  const shown = compressed?.shown.split('"failed"').length ?? 0;
  expect(shown - 1).toBe(90);
});

test('a dump of INSERT lines shows every row with a rare value', () => {
  fc.assert(
    fc.property(places, word, (at, rare) => {
      const lines = Array.from({ length: 500 }, (_row, index) => {
        const state = at.includes(index) ? `odd-${rare}` : 'usual';
        return `INSERT INTO public.items VALUES (${String(index)}, 'it''s, so', '${state}', NULL);`;
      });
      const { kind, compressed } = judge(['SET client_encoding = 1;', ...lines].join('\n'));
      expect(kind).toBe('table');
      const shown = compressed?.shown.split('\n') ?? [];
      for (const line of lines) if (line.includes('odd-')) expect(shown).toContain(line);
      expect(shown.length).toBeLessThan(60);
    }),
    { numRuns: 50 * share },
  );
});

test('rows that name columns by ids of their own fill no more than the cells that are looked at', () => {
  const rows = Array.from({ length: 4000 }, (_row, index) => [
    ['"id"', String(index)] as const,
    [`"labels".u-${String(index)}`, '"x"'] as const,
    ['"state"', index === 3000 ? '"odd"' : '"usual"'] as const,
  ]);
  const columns = columnsOf(rows);
  expect(columns.size * rows.length).toBeLessThanOrEqual(504_000);
  expect(columns.get('"state"')?.[3000]).toBe('"odd"');
});
