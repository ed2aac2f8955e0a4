import { describe, expect, it } from 'vitest';
import { runOn } from '../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';
import { explainedNames, wordsInLines } from '../terminal/wrap-words.ts';

const policies = ['none', 'classic', 'offload', 'recipe', 'ctx'];

async function linesAt(columns: number, ...flags: string[]): Promise<string[]> {
  const folder = makeFolder();
  writeJsonFile(folder, 'session.json', longSession('s-1', 4));
  const machine = { cwd: folder, isTty: true, columns, env: { NO_COLOR: '1' } };
  const run = await runOn(
    machine,
    'replay',
    'session.json',
    '--policy',
    policies.join(','),
    ...flags,
  );
  expect(run.exitCode).toBe(0);
  return run.stdout.split('\n');
}

describe('the first table of ctx replay', () => {
  it.each([40, 60, 99, 100, 200])(
    'has no line wider than a terminal of %i columns, nor than 100, and none of what needs explaining',
    async (columns) => {
      const lines = await linesAt(columns);
      const isCommand = (line: string) => line.startsWith('  ctx ');
      const most = Math.min(columns, 100);
      expect(lines.filter((line) => line.length > most && !isCommand(line))).toEqual([]);
      const table = lines.slice(0, lines.indexOf('Next:'));
      for (const title of ['cost', 'of sending all']) {
        const isMeasure = (line: string) => line.startsWith('policy') && line.includes(title);
        expect(table.some((line) => isMeasure(line) || line.startsWith(title))).toBe(true);
      }
      expect(lines.join('\n')).not.toContain('UTE');
      expect(lines.filter(isCommand)).toHaveLength(3);
    },
  );

  it('leaves out a column that is equal in every row, and says its value below', async () => {
    const machine = { cwd: makeFolder(), isTty: true, columns: 200, env: { NO_COLOR: '1' } };
    const { stdout } = await runOn(machine, 'replay', '--demo');
    const [table = '', sentences = ''] = stdout.split(/^ctx costs/m);
    const rows = table
      .split('\n')
      .filter((line) => /^(policy|\w+: )/.test(line))
      .map((line) => line.split(/ {2,}/));
    expect(rows).toHaveLength(policies.length + 1);
    const [titles = [], ...figures] = rows;
    expect(titles).toEqual(['policy', 'cost', 'of sending all', 'recoverable', 'over window']);
    for (const at of titles.keys()) {
      expect(new Set(figures.map((cells) => cells[at])).size).toBeGreaterThan(1);
    }
    expect(sentences.replaceAll('\n', ' ')).toContain(
      'Equal for all policies, so not in the table: evidence in view (edits that had the text that they change in the request) is 100.0 %.',
    );
    const wide = await runOn(machine, 'replay', '--demo', '--wide');
    expect(wide.stdout).toContain('evidence in view');
  });

  it('compares ctx with what others do where no policy is named', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'session.json', longSession('s-1', 4));
    const { stdout } = await runOn({ cwd: folder }, 'replay', 'session.json');
    const rows = ['none: ', 'classic: ', 'recipe: ', 'offload: ', 'ctx: '];
    const found = stdout.split('\n').filter((line) => rows.some((row) => line.startsWith(row)));
    expect(found).toHaveLength(5);
    expect(found[0]).toContain('100');
    expect(stdout).toContain('of sending everything');
  });
});

describe('the wide table of ctx replay', () => {
  it.each([40, 60, 100, 149])(
    'has no line wider than a terminal of %i columns',
    async (columns) => {
      const lines = await linesAt(columns, '--wide');
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      for (const policy of policies) {
        expect(
          lines.filter((line) => line.startsWith('policy') && ` ${line} `.includes(` ${policy} `)),
        ).toHaveLength(1);
      }
      expect(lines.filter((line) => line.startsWith('UTE ')).length).toBeGreaterThan(0);
    },
  );
});

describe('names with their explanation', () => {
  const entries = [['cost', 'what it costs in all'] as const, ['peak', 'the largest'] as const];

  it('stand in two columns, or on a narrow screen one under the other', () => {
    expect(explainedNames(entries, 24)).toEqual([
      '  cost  what it costs in',
      '        all',
      '  peak  the largest',
    ]);
    expect(explainedNames(entries, 17)).toEqual([
      '  cost',
      '    what it costs',
      '    in all',
      '  peak',
      '    the largest',
    ]);
  });

  it('leave a word whole that is longer than the line', () => {
    expect(wordsInLines('a bcdefgh i', 4)).toEqual(['a', 'bcdefgh', 'i']);
  });
});
