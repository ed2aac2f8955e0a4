import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '@ctx/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandTable } from '../command-table.ts';
import { backendOf } from '../store/open-store-url.ts';
import { runOn } from '../test-support/fake-host.ts';
import {
  anthropicSession,
  longSession,
  writeJsonFile,
} from '../test-support/sample-transcripts.ts';
import { normalise } from './normalise.ts';

const goldenFolder = fileURLToPath(new URL('../../src/test-support/golden/', import.meta.url));

/** Commands whose output is tried elsewhere, and where. */
const elsewhere: Readonly<Record<string, string>> = {
  completion: 'manual/manual.test.ts, in the shells',
  compress: 'commands/window/compress.test.ts: its tokens depend on the id of the output',
  embed: 'commands/item/memory.test.ts: it needs a module',
  'export-facts': 'commands/item/memory.test.ts',
  conform: 'commands/store/conform.test.ts: it runs the whole kit',
  doctor: 'commands/store/doctor.test.ts: it tells of the machine',
  hook: 'beside its code: it speaks the protocol of its caller',
  init: 'beside its code: it changes files of Claude Code',
  mcp: 'beside its code: it speaks the protocol of its caller',
  postgres: 'commands/store/postgres.test.ts: it needs a server',
  proxy: 'commands/agent/run.test.ts: it stays up',
  run: 'commands/agent/run.test.ts: it starts an agent',
  schema: 'commands/shell/schema.test.ts',
  share: 'commands/session/share.test.ts: its page tells the time',
  statusline: 'beside its code',
  up: 'commands/server/up.test.ts: it stays up',
};

const store = ['--store', 'sqlite:ctx.db'];

/** Calls of a user, in order; each stands in the file of its command. */
const calls: readonly (readonly string[])[] = [
  ['import', 'one.json', 'two.json', ...store],
  ['import', 'one.json', ...store],
  ['sessions', ...store],
  ['show', 'one', ...store],
  ['outputs', ...store],
  ['search', 'part', '1', 'row', '--limit', '2', ...store],
  ['read', '{output}', '--lines', '2-3', ...store],
  ['stats', ...store],
  ['status', 'one', ...store],
  ['top', 'one', ...store],
  ['remember', 'Deploys run on Fridays only', ...store],
  ['recall', 'deploys', ...store],
  ['memory', ...store],
  ['facts', 'one', '--add', 'Use pnpm here', ...store],
  ['facts', 'one', '--promote', 'Use pnpm here', ...store],
  ['fact', 'Deploys run on Fridays only', ...store],
  ['history', 'Deploys run on Fridays only', ...store],
  ['correct', 'Use pnpm here', 'Use npm here', ...store],
  ['observe', 'one', ...store],
  ['forget', 'Deploys run on Fridays only', ...store],
  ['tasks', 'one', '--set', 'fix', '--status', 'running', '--description', 'Fix it', ...store],
  ['compact', 'one', '--dry-run', ...store],
  ['document', 'one', ...store],
  ['save', 'Remember the parser', '--id', 'parser', ...store],
  ['items', ...store],
  ['item', 'parser', ...store],
  ['tiers', ...store],
  ['pin', 'parser', ...store],
  ['unpin', 'parser', ...store],
  ['touch', 'parser', ...store],
  ['flash-save', '--session', 'one', '--label', 'before', ...store],
  ['checkpoints', ...store],
  ['finish', 'parser', ...store],
  ['reopen', 'parser', ...store],
  ['archive', 'parser', ...store],
  ['unarchive', 'parser', ...store],
  ['diff', 'before', ...store],
  ['restore', 'before', '--yes', ...store],
  ['fork', 'before', 'other', ...store],
  ['delete', 'parser', ...store],
  ['keys', 'list', ...store],
  ['export', 'one', ...store],
  ['migrate', '--from', 'sqlite:ctx.db', '--to', 'fs:copy', '--verify'],
  ['verify', ...store],
  ['retention', '--max-age', '90d', ...store],
  ['purge', 'one', '--dry-run', ...store],
  ['config'],
  ['fit', 'two.json', '--budget', '3000', '--store', 'sqlite:fit.db'],
  ['why', 'one.json'],
  ['replay', 'two.json', '--policy', 'none,offload'],
  ['cache-lint', 'requests.jsonl'],
];

// Columns are as wide as the path, wherever folders of tests lie.
const folder = mkdtempSync(join(tmpdir(), 'ctx-cli-golden-').padEnd(32, '-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const told = new Map<string, string[]>();

/** Runs a call for people and, behind it, for programs: what changed something is not done twice. */
async function run(cwd: string, argv: readonly string[]): Promise<void> {
  const [name = ''] = argv;
  const changes = [
    'import',
    'save',
    'delete',
    'fork',
    'restore',
    'forget',
    'flash-save',
    'correct',
  ];
  const ways = changes.includes(name) ? [argv] : [argv, [...argv, '--json']];
  for (const way of ways) {
    const { exitCode, stdout, stderr } = await runOn({ cwd }, ...way);
    const parts = [
      `$ ctx ${way.join(' ')}`,
      stdout.trimEnd(),
      stderr.trimEnd(),
      `exit ${String(exitCode)}`,
    ];
    const text = `${normalise(parts.filter(Boolean).join('\n'), cwd)}\n`;
    told.set(name, [...(told.get(name) ?? []), text]);
  }
}

beforeAll(async () => {
  const cwd = folder;
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  writeJsonFile(cwd, 'two.json', longSession('two', 6));
  const opened = await openStore(
    await backendOf({ scheme: 'sqlite', path: join(cwd, 'ctx.db'), text: '' }),
  );
  const output = { sessionId: 'kept', toolName: 'read', args: {}, result: 'a\nb\nc\nd' };
  const { pointer } = await opened.outputs.save(output);
  await opened.close();
  await runOn(
    { cwd },
    'replay',
    'two.json',
    '--policy',
    'none',
    '--requests-out',
    'requests.jsonl',
  );
  for (const argv of calls) {
    await run(
      cwd,
      argv.map((word) => (word === '{output}' ? pointer.id : word)),
    );
  }
}, 180_000);

const names = [...new Set(calls.map(([name = '']) => name))].sort();

test.each(names)('%s says what it said before', async (name) => {
  const text = (told.get(name) ?? []).join('\n');
  await expect(text).toMatchFileSnapshot(join(goldenFolder, `${name}.txt`));
});

test('every call ends with 0', () => {
  const failed = [...told.values()].flat().filter((text) => !text.endsWith('\nexit 0\n'));
  expect(failed).toEqual([]);
});

test('every command is tried here, or it is said where', () => {
  const all = commandTable.map(({ name }) => name).sort();
  expect([...names, ...Object.keys(elsewhere)].sort()).toEqual(all);
});
