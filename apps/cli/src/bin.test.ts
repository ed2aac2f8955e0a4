import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandTable } from './command-table.ts';
import { isBuilt, makeTestHome, type TestHome } from './test-support/run-bin.ts';
import {
  anthropicSession,
  longSession,
  sourceLines,
  writeJsonFile,
} from './test-support/sample-transcripts.ts';

// Each test starts the real command several times; a busy machine takes its time.
let home: TestHome;

beforeAll(() => {
  home = makeTestHome();
});
afterAll(() => {
  home.remove();
});

/** A module that tells at the end which modules of ours and of others this process has loaded. */
function tellModules(folder: string): string {
  const path = join(folder, 'tell-modules.mjs');
  const hooks = `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (found.url.startsWith('file:')) process._rawDebug('loaded ' + found.url);
  return found;
}
`;
  writeFileSync(join(folder, 'tell-hooks.mjs'), hooks);
  const text = `import { register } from 'node:module';\nregister('./tell-hooks.mjs', import.meta.url);\n`;
  writeFileSync(path, text);
  return path;
}

async function modulesLoadedBy(...argv: string[]): Promise<string[]> {
  const env = { NODE_OPTIONS: `--import=${tellModules(home.folder)}` };
  const { stderr } = await home.run(argv, { env });
  const urls = [...stderr.matchAll(/^loaded (\S+)$/gm)].map((found) => found[1] ?? '');
  const isTest = /register\.mjs|hooks\.mjs|tell-|esbuild/;
  return urls
    .filter((url) => !isTest.test(url))
    .map((url) => url.replace(/^.*\/(apps|packages|node_modules)\//, ''));
}

test('--version says the version and loads nothing else', async () => {
  const { exitCode, stdout } = await home.run(['--version']);
  expect([exitCode, /^\d+\.\d+\.\d+\S*\n$/.test(stdout)]).toEqual([0, true]);
  const loaded = await modulesLoadedBy('--version');
  expect(loaded.map((url) => url.replace(/\.(ts|js)$/, '').replace(/\/(src|dist)\//, '/'))).toEqual(
    isBuilt ? ['cli/bin.cjs'] : ['cli/bin', 'cli/load-program'],
  );
});

test('an old Node is told of in one line, and lets a hook answer', async () => {
  const old = join(home.folder, 'old-node.cjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });");
  const env = { NODE_OPTIONS: `--require=${old}` };
  const { exitCode, stdout, stderr } = await home.run(['sessions'], { env });
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'ctx needs Node.js 20.19 or newer, this is 18.20.8: install a newer one (https://nodejs.org).\n',
  );
  expect((await home.run(['--version'], { env })).exitCode).toBe(0);
  expect(await home.run(['hook', 'claude-code'], { env })).toMatchObject({
    exitCode: 0,
    stdout: '{}\n',
  });
});

test('a command loads no other command', async () => {
  const loaded = await modulesLoadedBy('config');
  // In the bundle, the file of a command has its name and a hash.
  const names = loaded.map(
    (url) =>
      /\/(?:commands\/[a-z]+|bundle)\/([a-z-]+?)(?:-[A-Z0-9]{8})?\.(?:ts|js)$/.exec(url)?.[1],
  );
  expect(commandTable.map(({ name }) => name).filter((name) => names.includes(name))).toEqual([
    'config',
  ]);
});

test.runIf(isBuilt)('what is built loads a command from few files', async () => {
  const counts: number[] = [];
  for (const argv of [['statusline'], ['sessions'], ['status', 'none']]) {
    const loaded = await modulesLoadedBy(...argv);
    expect(loaded.filter((url) => /\/(core|truncation|zod)\//.test(url))).toEqual([]);
    counts.push(new Set(loaded).size);
  }
  expect(Math.max(...counts)).toBeLessThan(30);
  expect(counts[0]).toBeLessThan(20);
});

test('without a word the help comes on standard output', async () => {
  const { exitCode, stdout, stderr } = await home.run([]);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Examples:\n {2}\$ ctx replay --demo\n/);
  for (const name of [
    'import',
    'sessions',
    'show',
    'outputs',
    'search',
    'read',
    'stats',
    'migrate',
    'conform',
    'replay',
    'fit',
    'doctor',
  ]) {
    expect(stdout).toMatch(new RegExp(`^ {2}${name} {2,}\\S`, 'm'));
  }
});

test('the help of a command begins with examples', async () => {
  for (const argv of [
    ['fit', '--help'],
    ['help', 'fit'],
  ]) {
    const { exitCode, stdout } = await home.run(argv);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Examples:\n {2}\$ ctx fit session\.json --budget 100000 > smaller\.json\n/,
    );
    expect(stdout).toContain('--budget <tokens>');
  }
});

test('a misspelt command gets a suggestion and exit code 2', async () => {
  const { exitCode, stdout, stderr } = await home.run(['serach', 'x']);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    "error: unknown command 'serach'\n(Did you mean search?)\n(see ctx --help)\n",
  );
});

test('a session goes in, is found, and comes out byte for byte', async () => {
  const result = `${sourceLines(500)}\n\u0007 and a bell`;
  writeJsonFile(home.folder, 'one.json', anthropicSession('one', result));
  const imported = await home.run(['import', 'one.json', '--redact', 'off']);
  expect([imported.exitCode, imported.stdout]).toEqual([
    0,
    expect.stringContaining('imported  one'),
  ]);
  const listed = await home.run(['outputs', 'one', '--json']);
  const { outputs } = JSON.parse(listed.stdout) as { outputs: { pointer: string }[] };
  const read = await home.run(['read', outputs[0]?.pointer ?? '']);
  expect(read.stdout).toBe(result);
  expect(read.stderr).toBe('');
});

test('pipes get neither colours nor a progress line', async () => {
  writeJsonFile(home.folder, 'long.json', longSession('long', 10));
  const { stdout, stderr } = await home.run(['replay', 'long.json']);
  expect(stdout + stderr).not.toContain('\u001b');
  expect(stderr).not.toContain('\r');
});

test('a reader that leaves early is no failure', async () => {
  const big = anthropicSession('big', sourceLines(8000));
  writeJsonFile(home.folder, 'big.json', big);
  await home.run(['import', 'big.json', '--redact', 'off']);
  const { stdout } = await home.run(['outputs', 'big', '--json']);
  const { outputs } = JSON.parse(stdout) as { outputs: { id: string }[] };
  const cut = await home.run(['read', outputs[0]?.id ?? ''], { closeAfterBytes: 100 });
  expect([cut.exitCode, cut.stderr]).toEqual([0, '']);
});

test.skipIf(!existsSync('/dev/full'))('an output that cannot be written is a failure', async () => {
  const { exitCode, stderr } = await home.run(['schema', 'stats'], { stdoutFile: '/dev/full' });
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining('standard output cannot be written'),
  ]);
});

test.skipIf(process.getuid?.() === 0)(
  'a store that cannot be written ends with 5 and advice',
  async () => {
    const path = join(home.folder, 'locked.db');
    await home.run(['import', 'one.json', '--store', 'sqlite:locked.db']);
    chmodSync(path, 0o400);
    const { exitCode, stderr } = await home.run([
      'import',
      'long.json',
      '--store',
      'sqlite:locked.db',
    ]);
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining('CTX_STORE_READ_ONLY')]);
  },
);

test.skipIf(process.getuid?.() === 0)('a store that cannot be written can be read', async () => {
  const folder = join(home.folder, 'fixed');
  await home.run(['import', 'one.json', '--store', 'sqlite:fixed/ctx.db']);
  chmodSync(join(folder, 'ctx.db'), 0o400);
  chmodSync(folder, 0o500);
  try {
    const listed = await home.run(['sessions', '--store', 'sqlite:fixed/ctx.db']);
    expect([listed.exitCode, listed.stdout]).toEqual([0, expect.stringContaining('one')]);
    const shown = await home.run(['show', 'one', '--store', 'sqlite:fixed/ctx.db']);
    expect([shown.exitCode, shown.stderr]).toEqual([0, '']);
  } finally {
    chmodSync(folder, 0o700);
  }
});

test.skipIf(process.getuid?.() === 0)('so can a folder that cannot be written', async () => {
  const folder = join(home.folder, 'fixed-files');
  await home.run(['import', 'one.json', '--store', 'fs:fixed-files']);
  const folders = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const path of [...folders, folder]) chmodSync(path, 0o500);
  try {
    for (const command of [['sessions'], ['show', 'one'], ['outputs', 'one']]) {
      const { exitCode, stderr } = await home.run([...command, '--store', 'fs:fixed-files']);
      expect([command, exitCode, stderr]).toEqual([command, 0, '']);
    }
    const advised = await home.run(['doctor', '--store', 'fs:fixed-files']);
    expect([advised.exitCode, advised.stderr]).toEqual([0, expect.stringContaining('the rights')]);
  } finally {
    for (const path of [...folders, folder]) chmodSync(path, 0o700);
  }
});

test.skipIf(process.getuid?.() === 0)(
  'what only looks works where nothing can be written, what writes ends with 5',
  async () => {
    const store = 'sqlite:seen/ctx.db';
    const folder = join(home.folder, 'seen');
    await home.run(['import', 'one.json', '--store', store]);
    chmodSync(join(folder, 'ctx.db'), 0o400);
    chmodSync(folder, 0o500);
    const looks = [['verify'], ['purge', 'one', '--dry-run'], ['retention'], ['keys', 'list']];
    const writes = [
      ['verify', '--repair'],
      ['purge', 'one', '--yes'],
      ['remember', 'x'],
    ];
    try {
      for (const argv of [...looks, ['top']]) {
        expect([argv, (await home.run([...argv, '--store', store])).exitCode]).toEqual([argv, 0]);
      }
      for (const argv of writes) {
        expect([argv, (await home.run([...argv, '--store', store])).exitCode]).toEqual([argv, 5]);
      }
      const line = await home.run(['statusline', '--store', store]);
      expect(line.stdout).toMatch(/^kept 1 /);
      const copied = await home.run(['migrate', '--from', store, '--to', 'fs:copied', '--verify']);
      expect(copied.exitCode).toBe(0);
    } finally {
      chmodSync(folder, 0o700);
    }
  },
);

test('a file that is no database is left as it is', async () => {
  writeFileSync(join(home.folder, 'notes.db'), 'my notes, long enough to look at: '.repeat(200));
  const { exitCode, stderr } = await home.run(['sessions', '--store', 'sqlite:notes.db', '--json']);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'CTX_STORE_CORRUPT', exitCode: 1 } });
});
