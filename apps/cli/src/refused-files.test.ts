import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestHome, type TestHome } from './test-support/run-bin.ts';
import { anthropicSession, writeJsonFile } from './test-support/sample-transcripts.ts';

/** A user without rights of root: this one, or `nobody`. */
const other = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
const here = fileURLToPath(import.meta.url);
const canRead = spawnSync(process.execPath, ['-e', 'fs.accessSync(process.argv[1])', here], {
  uid: other,
});

let home: TestHome;
let env: Record<string, string>;

beforeAll(async () => {
  home = makeTestHome();
  const { folder } = home;
  for (const name of ['transcript', 'document', 'times']) {
    writeJsonFile(folder, `${name}.json`, anthropicSession(name));
  }
  writeFileSync(join(folder, 'text.txt'), 'hello');
  writeFileSync(join(folder, 'maker.mjs'), 'export default 1;');
  await home.run(['save', '--agent', 'a', 'hello', '--store', 'sqlite:closed.db']);
  await home.run(['save', '--agent', 'a', 'hello', '--store', 'fs:closed']);
  await home.run(['save', '--agent', 'a', 'hello', '--store', 'sqlite:open.db']);
  // Loads what the commands need while that may still be written.
  await home.run(['import', 'transcript.json', '--store', 'memory:']);
  const config = join(folder, 'config');
  for (const name of [config, join(folder, 'locked')]) mkdirSync(name);
  mkdirSync(join(folder, 'mixed/locked'), { recursive: true });
  writeJsonFile(folder, 'mixed/readable.json', anthropicSession('readable'));
  writeFileSync(join(config, 'ctx.config.json'), '{}');
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', String(other), folder]);
  const lower = join(folder, 'lower.cjs');
  writeFileSync(
    lower,
    `if (require('node:worker_threads').isMainThread) process.setuid(${String(other)});`,
  );
  chmodSync(lower, 0o644);
  env = process.getuid?.() === 0 ? { NODE_OPTIONS: `--require=${lower}` } : {};
  const closed = ['transcript.json', 'document.json', 'times.json', 'text.txt', 'maker.mjs'];
  for (const name of [
    ...closed,
    'closed.db',
    'closed',
    'config/ctx.config.json',
    'locked',
    'mixed/locked',
  ]) {
    chmodSync(join(folder, name), 0);
  }
});

afterAll(() => {
  for (const name of ['closed', 'locked', 'mixed/locked'])
    chmodSync(join(home.folder, name), 0o700);
  home.remove();
});

/** `npm test` tries every sixth, the campaign all of them: each is a process. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';
const calls = [
  ['import', 'transcript.json', '--store', 'sqlite:open.db'],
  ['import', 'locked/transcript.json', '--store', 'sqlite:open.db'],
  ['fit', 'transcript.json', '--budget', '1000'],
  ['replay', 'transcript.json'],
  ['cache-lint', 'transcript.json'],
  ['why', 'transcript.json'],
  ['document', '--import', 'document.json', '--store', 'sqlite:open.db'],
  ['document', '--import', 'locked/document.json', '--store', 'sqlite:open.db'],
  ['save', '--agent', 'a', '--file', 'text.txt', '--store', 'sqlite:open.db'],
  ['save', '--agent', 'a', '--file', 'locked/text.txt', '--store', 'sqlite:open.db'],
  ['sessions', '--store', 'sqlite:closed.db'],
  ['sessions', '--store', 'sqlite:locked/ctx.db'],
  ['sessions', '--store', 'fs:closed'],
  ['verify', '--store', 'sqlite:closed.db'],
  ['verify', '--store', 'fs:closed'],
  ['migrate', '--from', 'sqlite:closed.db', '--to', 'sqlite:new.db'],
  ['conform', 'maker.mjs'],
  ['conform', 'locked/maker.mjs'],
];

describe.skipIf(canRead.status !== 0)('a file that this user may not read', () => {
  it.each(isCampaign ? calls : calls.filter((_, at) => at % 6 === 0))(
    'is told of as that by ctx %s %s %s %s',
    async (...args) => {
      const { exitCode, stderr } = await home.run(args, { env });
      expect(stderr).toMatch(/this user may not (?:read|access)/);
      expect(stderr).toContain('CTX_NOT_ALLOWED');
      expect(stderr).toContain('→ Check the owner and the permissions');
      expect(exitCode).toBe(5);
    },
  );

  it('keeps no other file of the folder from being imported, where it is a folder itself', async () => {
    const args = ['import', 'mixed', '--store', 'sqlite:open.db', '--json'];
    const { exitCode, stdout } = await home.run(args, { env });
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        {
          status: 'failed',
          code: 'CTX_NOT_ALLOWED',
          file: expect.stringMatching(/locked$/) as string,
        },
        { status: 'imported', session: 'readable' },
      ],
    });
    expect(exitCode).toBe(5);
  });

  it('is told of as that where it is the configuration of the project', async () => {
    const { exitCode, stderr } = await home.run(['sessions'], {
      env,
      cwd: join(home.folder, 'config'),
    });
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining('CTX_NOT_ALLOWED')]);
  });
});
