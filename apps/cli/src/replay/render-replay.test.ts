import { describe, expect, it } from 'vitest';
import { runOn } from '../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';
import { explainedNames, wordsInLines } from './narrow-text.ts';

const policies = ['none', 'classic', 'offload', 'recipe', 'ctx'];

async function linesAt(columns: number): Promise<string[]> {
  const folder = makeFolder();
  writeJsonFile(folder, 'session.json', longSession('s-1', 4));
  const machine = { cwd: folder, isTty: true, columns, env: { NO_COLOR: '1' } };
  const run = await runOn(machine, 'replay', 'session.json', '--policy', policies.join(','));
  expect(run.exitCode).toBe(0);
  return run.stdout.split('\n');
}

describe('the table of ctx replay', () => {
  it.each([40, 60, 100, 149])(
    'has no line wider than a terminal of %i columns',
    async (columns) => {
      const lines = await linesAt(columns);
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
