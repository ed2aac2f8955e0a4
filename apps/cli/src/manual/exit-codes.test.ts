import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliErrors } from '../cli-errors.ts';
import { commandTable } from '../command-table.ts';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';
import { exitCodes } from './exit-codes.ts';

const names = commandTable.map(({ name }) => name);

test('every error of the library ends with a code of the table', () => {
  const known = exitCodes.map(([code]) => code);
  for (const { exitCode } of Object.values(cliErrors)) expect(known).toContain(exitCode);
});

/** Commands whose unknown flags are another program's, or mean nothing. */
const takesAnyFlag = new Set(['hook']);

test.each(names.filter((name) => !takesAnyFlag.has(name)))(
  '%s with a wrong flag ends with 2 and says which',
  async (name) => {
    const { exitCode, stdout, stderr } = await runOn({ cwd: makeFolder() }, name, '--no-such-flag');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/no-such-flag|missing required argument|required option/);
  },
);

/** A call of each command that reads a store, with what it must be given. */
const readers: readonly (readonly string[])[] = [
  ['sessions'],
  ['show', 'x'],
  ['outputs'],
  ['search', 'x'],
  ['read', 'x'],
  ['stats'],
  ['status', 'x'],
  ['facts', 'x'],
  ['memory'],
  ['recall', 'x'],
  ['tasks', 'x'],
  ['compact', 'x'],
  ['document', 'x'],
  ['items'],
  ['item', 'x'],
  ['tiers'],
  ['pin', 'x'],
  ['unpin', 'x'],
  ['touch', 'x'],
  ['finish', 'x'],
  ['reopen', 'x'],
  ['archive', 'x'],
  ['unarchive', 'x'],
  ['delete', 'x'],
  ['flash-save'],
  ['checkpoints'],
  ['restore', 'x'],
  ['fork', 'x', 'y'],
  ['diff', 'x'],
  ['keys', 'list'],
  ['export', 'x'],
  ['verify'],
  ['purge', 'x', '--yes'],
  ['retention', 'run', '--yes'],
  ['top', 'x'],
];

test.each(readers)('%s where there is no store ends with 3 and makes none', async (...argv) => {
  const cwd = makeFolder();
  const { exitCode, stdout, stderr } = await runOn({ cwd }, ...argv, '--store', 'sqlite:none.db');
  expect([argv, exitCode, stdout]).toEqual([argv, 3, '']);
  expect(stderr).toMatch(/no store at|no file|there is no/);
  const json = await runOn({ cwd }, ...argv, '--json', '--store', 'sqlite:none.db');
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'CTX_NOT_FOUND', exitCode: 3 } });
});

test.each(readers)('%s with a URL of no store ends with 2', async (...argv) => {
  const { exitCode } = await runOn({ cwd: makeFolder() }, ...argv, '--store', 'redis://x');
  expect([argv, exitCode]).toEqual([argv, 2]);
});

test.each(readers)('%s on a file that is no store ends with 1 and leaves it', async (...argv) => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'notes.txt'), 'these are my notes '.repeat(500));
  const { exitCode, stdout } = await runOn({ cwd }, ...argv, '--store', 'sqlite:notes.txt');
  expect([argv, exitCode]).toEqual([argv, 1]);
  expect(stdout === '' || argv[0] === 'verify').toBe(true);
});

test.each([
  ['replay', 'none.json'],
  ['cache-lint', 'none.json'],
  ['import', 'none.json'],
  ['fit', 'none.json', '--budget', '1000'],
  ['why', 'none.json'],
  ['conform', './none.mjs'],
])('%s of a file that is not there ends with 3', async (...argv) => {
  const { exitCode, stderr } = await runOn({ cwd: makeFolder() }, ...argv);
  expect([argv, exitCode]).toEqual([argv, 3]);
  expect(stderr).toMatch(/none|no store at/);
});

test('an unknown command gets a suggestion, an unknown topic of help a list', async () => {
  const wrong = await runOn({ cwd: '/' }, 'verifi');
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('Did you mean verify?'),
  ]);
  const help = await runOn({ cwd: '/' }, 'help', 'verifi');
  expect([help.exitCode, help.stderr]).toEqual([
    2,
    expect.stringContaining('Did you mean verify?'),
  ]);
});
