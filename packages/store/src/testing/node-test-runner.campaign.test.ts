import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The source when the test is, the published files when it is compiled. */
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const conditions = ending === 'ts' ? ['@ctx/source'] : [];

/** Runs the kit as a third party without vitest does: `node --test` on plain JavaScript. */
const suiteFor = (limit: string): string => `
  import { describe, it } from 'node:test';
  import { memoryBackend } from './backend/memory/memory-backend.${ending}';
  import { describeStoreBackend } from './testing/describe-store-backend.${ending}';
  const change = (backend) => ({
    ...backend,
    scan: (query) => backend.scan({ ...query${limit} }),
  });
  describeStoreBackend({
    runner: { describe, it },
    create: () => change(memoryBackend()),
    filter: ({ group }) => ['manifest', 'scan', 'durability'].includes(group),
  });
`;

interface Run {
  readonly exitCode: number;
  readonly output: string;
}

let folder = '';

async function runSuite(name: string, limit: string): Promise<Run> {
  const outfile = join(folder, `${name}.test.mjs`);
  const resolveDir = fileURLToPath(new URL('..', import.meta.url));
  const stdin = { contents: suiteFor(limit), resolveDir };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', conditions });
  const env: NodeJS.ProcessEnv = { ...process.env };
  // Set by a parent that is a test runner itself; it would change the report.
  delete env['NODE_TEST_CONTEXT'];
  return new Promise((resolve) => {
    const args = ['--test', '--test-reporter=tap', outfile];
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 24 }, (error, output) => {
      resolve({ exitCode: error === null ? 0 : 1, output });
    });
  });
}

describe('the conformance kit under node --test', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ctx-node-test-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('passes a sound backend and skips nothing', async () => {
    const { exitCode, output } = await runSuite('sound', '');
    expect(exitCode, output.slice(-2000)).toBe(0);
    expect(output).toMatch(/^# pass [1-9]\d+$/m);
    expect(output).toMatch(/^# fail 0$/m);
    expect(output).toMatch(/^# skipped 0$/m);
    expect(output).toContain('orders amount ascending');
  });

  it('fails a backend that gives one record at most', async () => {
    const { exitCode, output } = await runSuite('broken', ', limit: 1');
    expect(exitCode).toBe(1);
    expect(output).toMatch(/not ok \d+ - orders amount ascending/);
  });
});
