import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandContext } from '../command-context.ts';
import { commandTable } from '../command-table.ts';
import { answerSchemas } from '../commands/shell/schema.ts';
import { processHost } from '../process-host.ts';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';
import { allManuals } from './command-manual.ts';
import { completeBash } from './complete-bash.ts';
import { writeIndex, writePage } from '../test-support/write-page.ts';

const context = commandContext({
  host: processHost(new AbortController().signal, () => undefined),
  commands: commandTable,
  hasColor: false,
  finish: () => undefined,
});
const manuals = await allManuals(context);
const docs = fileURLToPath(new URL('../../../../docs/cli/', import.meta.url));

function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

test.each(manuals)('the page of $name is as its definition says', async (manual) => {
  const page = writePage(manual, answerSchemas[manual.name]);
  await expect(page).toMatchFileSnapshot(join(docs, `${manual.name}.md`));
});

test('the list of commands is as their definitions say, and no page is of a command that is gone', async () => {
  await expect(writeIndex(manuals)).toMatchFileSnapshot(join(docs, 'README.md'));
  const known = ['README.md', ...manuals.map(({ name }) => `${name}.md`)];
  expect(readdirSync(docs).filter((name) => !known.includes(name))).toEqual([]);
});

test('every command says what it does, how it is called, and what each flag means', () => {
  for (const { name, description, examples, options, arguments: given } of manuals) {
    expect(description, name).toMatch(/^[A-Z].*\.$/s);
    expect(examples.length, name).toBeGreaterThan(0);
    for (const { meaning, term } of [...options, ...given])
      expect(meaning, `${name} ${term}`).not.toBe('');
    const long = options.map((option) => option.long);
    expect(long, name).toEqual(expect.arrayContaining(['--json', '--no-color', '--no-input']));
  }
});

test.each(manuals)('the help of $name begins with its examples', async ({ name, examples }) => {
  for (const argv of [
    [name, '--help'],
    ['help', name],
  ]) {
    const { exitCode, stdout, stderr } = await runOn({ cwd: '/' }, ...argv);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout.startsWith(`Examples:\n  $ ${examples[0] ?? ''}\n`)).toBe(true);
  }
});

test('help fits a terminal of 40 columns', async () => {
  for (const { name, listed } of manuals) {
    const { stdout } = await runOn({ cwd: '/', isTty: true, columns: 40 }, 'help', name);
    expect(stdout).toContain(`Usage: ctx ${listed}`);
  }
});

/** What bash offers for a line that ends in its last word. */
function offeredByBash(...words: string[]): string[] {
  const folder = makeFolder();
  const path = join(folder, 'completion.bash');
  writeFileSync(path, completeBash(manuals));
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `source "$1"; COMP_WORDS=(${line}); COMP_CWORD=${String(words.length - 1)}; _ctx; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const options = { encoding: 'utf8', cwd: folder } as const;
  return execFileSync('bash', ['-c', script, 'bash', path], options).split('\n').filter(Boolean);
}

test.skipIf(!hasProgram('bash'))('bash completes commands, flags and their values', () => {
  expect(offeredByBash('ctx', 'ret')).toEqual(['retention']);
  expect(offeredByBash('ctx', 'help', 'purg')).toEqual(['purge']);
  expect(offeredByBash('ctx', 'purge', '--o')).toEqual(['--older-than']);
  expect(offeredByBash('ctx', 'items', '--tier', '')).toEqual(['hot', 'warm', 'cold']);
  expect(offeredByBash('ctx', 'config', 's')).toEqual(['set']);
  expect(offeredByBash('ctx', 'import', '--store', '--')).toEqual([]);
  expect(offeredByBash('ctx', 'items', 'un')).toEqual(['unpin', 'unarchive']);
  expect(offeredByBash('ctx', 'items', 'save', '--fi')).toEqual(['--file']);
  expect(offeredByBash('ctx', 'items', 'sa')).toEqual(['save']);
});

test.each(['bash', 'zsh', 'fish'] as const)('%s can read its script', async (shell) => {
  const { exitCode, stdout } = await runOn({ cwd: '/' }, 'completion', shell);
  expect(exitCode).toBe(0);
  for (const { name } of manuals) expect(stdout).toContain(name);
  if (!hasProgram(shell)) return;
  const path = join(makeFolder(), 'script');
  writeFileSync(path, stdout);
  expect(execFileSync(shell, ['-n', path], { encoding: 'utf8' })).toBe('');
});

test.skipIf(!hasProgram('fish'))('fish completes commands, flags and their values', async () => {
  const { stdout } = await runOn({ cwd: '/' }, 'completion', 'fish');
  const path = join(makeFolder(), 'ctx.fish');
  writeFileSync(path, stdout);
  const offered = (line: string): string[] =>
    execFileSync('fish', ['--no-config', '-c', `source ${path}; complete -C '${line}'`], {
      encoding: 'utf8',
    })
      .split('\n')
      .flatMap((found) => found.split('\t')[0] ?? []);
  expect(offered('ctx ret')).toContain('retention');
  expect(offered('ctx purge --older')).toContain('--older-than');
  expect(offered('ctx items --tier ')).toEqual(expect.arrayContaining(['hot', 'warm', 'cold']));
});
