import { expect, test } from 'vitest';
import { groupTitles, listedName } from './command-names.ts';
import { commandTable } from './command-table.ts';
import { runOn } from './test-support/fake-host.ts';

const run = async (...argv: string[]) => await runOn({ cwd: '/' }, ...argv);

test('the help lists commands in groups, and commands of two words only below their first', async () => {
  const { stdout } = await run('--help');
  let last = -1;
  for (const title of Object.values(groupTitles)) {
    const at = stdout.indexOf(`\n${title}:\n`);
    expect(at, title).toBeGreaterThan(last);
    last = at;
  }
  for (const entry of commandTable) {
    const isListed = new RegExp(`^  ${listedName(entry)}  `, 'm').test(stdout);
    expect(isListed, entry.name).toBe(entry.as === undefined);
  }
});

test('the help of the first word lists the commands below it', async () => {
  const { stdout } = await run('items', '--help');
  expect(stdout).toMatch(/\nCommands:\n {2}items save +save an item/);
  expect(stdout).toContain('  items unarchive  move an archived item back\n');
  expect((await run('checkpoints', '--help')).stdout).toContain('  checkpoints fork     start');
});

test.each([
  [['save', '--help']],
  [['items', 'save', '--help']],
  [['help', 'items', 'save']],
  [['help', 'save']],
])('%j shows the help of `items save`', async (argv) => {
  const { exitCode, stdout } = await run(...argv);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Usage: ctx items save [options] [content]');
});

test('the short name and the two words run the same command', async () => {
  const short = await run('item', 'none', '--store', 'memory:');
  const long = await run('items', 'show', 'none', '--store', 'memory:');
  expect(long).toEqual(short);
  expect(long.exitCode).toBe(3);
});

test('what the first word lists is listed with `list`, too', async () => {
  for (const first of ['memory', 'items', 'checkpoints']) {
    const flags = ['--json', '--store', 'memory:'];
    expect(await run(first, 'list', ...flags)).toEqual(await run(first, ...flags));
  }
  expect((await run('memory', 'lst')).stderr).toContain('unknown command');
});

test('flags may stand before the words of a command', async () => {
  const { stdout } = await run('--no-color', 'items', 'pin', '--help');
  expect(stdout).toContain('Usage: ctx items pin [options] <id>');
});

test.each([
  [['items', 'pni'], 'items pin'],
  [['tuch'], 'touch'],
  [['flsh-save'], 'flash-save'],
  [['help', 'items', 'sav'], 'items save'],
  [['serch'], 'search'],
])('%j is misspelt and gets a suggestion', async (argv, meant) => {
  const { exitCode, stderr } = await run(...argv);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`Did you mean ${meant}?`);
});

test('every command has a summary, and a short name of its own', () => {
  const names = commandTable.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, summary } of commandTable) expect(summary, name).toMatch(/^[a-z].*[^.]$/);
});
