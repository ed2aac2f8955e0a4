import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { interruptAt } from './test-support/interrupt-at.ts';
import { isBuilt, makeTestHome, type TestHome } from './test-support/run-bin.ts';
import { anthropicSession, writeJsonFile } from './test-support/sample-transcripts.ts';

// Each test starts the real command several times; a busy machine takes its time.
let home: TestHome;

beforeAll(() => {
  home = makeTestHome();
});
afterAll(() => {
  home.remove();
});

test.runIf(isBuilt)(
  'what an agent waits for is run from the code that was kept of it',
  async () => {
    const stdout = 'a line of a test\n'.repeat(4000);
    const hook = async (
      id: string,
      env: Readonly<Record<string, string>>,
      name = 'PostToolUse',
    ): Promise<string> => {
      const event = {
        ...{ session_id: 'kept', hook_event_name: name, tool_name: 'Bash', tool_use_id: id },
        tool_input: { command: 'npm test' },
        tool_response: { stdout, stderr: '', interrupted: false, isImage: false },
      };
      return (await home.run(['hook', 'claude-code'], { env, stdin: JSON.stringify(event) }))
        .stdout;
    };
    const cache = join(home.folder, 'cache');
    const compiled = join(cache, 'ctx/compiled');
    const env = { XDG_CACHE_HOME: cache };
    const preview = /"updatedToolOutput":.*is kept at ctx:/;
    expect(await hook('t1', env)).toMatch(preview);
    const [name = ''] = readdirSync(compiled);
    expect(readdirSync(compiled)).toEqual([expect.stringMatching(/^fast-path-\w+\.[0-9a-f]+$/)]);
    const kept = readFileSync(join(compiled, name));
    expect(await hook('t2', env)).toMatch(preview);
    expect(readFileSync(join(compiled, name)).equals(kept)).toBe(true);
    // What is damaged is compiled again, and what is of another version goes.
    writeFileSync(join(compiled, name), kept.subarray(0, 1000));
    writeFileSync(join(compiled, 'fast-path-OLD.1'), '');
    expect(await hook('t3', env)).toMatch(preview);
    expect(readdirSync(compiled)).toEqual([name]);
    expect(readFileSync(join(compiled, name)).length).toBeGreaterThan(1000);
    // The hooks that end a turn run from the same code.
    const again = readFileSync(join(compiled, name));
    expect(await hook('t4', env, 'Stop')).toBe('{}\n');
    expect(readdirSync(compiled)).toEqual([name]);
    expect(readFileSync(join(compiled, name)).equals(again)).toBe(true);
    // Code that others could have written is not run.
    writeFileSync(join(compiled, name), '');
    chmodSync(compiled, 0o777);
    expect(await hook('t6', env)).toMatch(preview);
    expect(readFileSync(join(compiled, name)).length).toBe(0);
  },
);

test.runIf(isBuilt)('an agent is started by the code that was kept of its start', async () => {
  const cache = join(home.folder, 'run-cache');
  const agent = join(home.folder, 'claude');
  writeFileSync(agent, '#!/bin/sh\necho "here $1"\nexit 7\n');
  chmodSync(agent, 0o755);
  const env = {
    ...{ XDG_CACHE_HOME: cache, PATH: [home.folder, process.env['PATH']].join(delimiter) },
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  };
  const compiled = join(cache, 'ctx/compiled');
  const kept: Buffer[] = [];
  for (const word of ['one', 'two']) {
    const { stdout, exitCode } = await home.run(['run', 'claude', '--', word], { env });
    expect([exitCode, stdout]).toEqual([7, expect.stringContaining(`here ${word}\n`)]);
    expect(readdirSync(compiled)).toEqual([expect.stringMatching(/^run-command-\w+\.[0-9a-f]+$/)]);
    kept.push(readFileSync(join(compiled, readdirSync(compiled)[0] ?? '')));
  }
  expect(kept[0]?.equals(kept[1] ?? Buffer.of())).toBe(true);
});

test('commands that read stored counts never load the tokenizer, import does', async () => {
  const path = join(home.folder, 'tell-tokenizer.mjs');
  writeFileSync(
    path,
    `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
process.on('exit', () => {
  const loaded = Object.keys(require('node:module')._cache).some((name) => name.includes('tiktoken'));
  process.stderr.write(loaded ? 'tokenizer' : 'no tokenizer');
});
`,
  );
  const env = { NODE_OPTIONS: `--import=${path}` };
  writeJsonFile(home.folder, 'two.json', anthropicSession('two'));
  expect((await home.run(['import', 'two.json'], { env })).stderr).toMatch(/\ntokenizer$/);
  for (const argv of [
    ['sessions'],
    ['outputs', 'two'],
    ['show', 'two'],
    ['stats'],
    ['search', 'line'],
  ]) {
    expect((await home.run([...argv, '--json'], { env })).stderr).toBe('no tokenizer');
  }
});

test('Ctrl-C while a server starts is heeded once it can stop at a clean place, and the key that it writes is whole', async () => {
  const up = ['up', '--store', 'sqlite:up.db', '--port', '0', '--json'];
  const env = {
    NODE_OPTIONS: `--import=${interruptAt(home.folder, { sign: '.key', nth: 1 })}`,
  };
  const { exitCode, stdout } = await home.run(up, { env });
  expect(exitCode).toBe(0);
  const { keyFile } = JSON.parse(stdout) as { keyFile: string };
  expect(readFileSync(keyFile, 'utf8')).toMatch(/^ctx_[0-9a-f]{16}_[A-Za-z0-9_-]{43}\n$/);
});
