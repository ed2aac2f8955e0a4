import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FakeMachine, runOn } from '../../test-support/fake-host.ts';
import { makeFolder, writeJsonFile } from '../../test-support/sample-transcripts.ts';

const secret = `ghp_${'a1B2'.repeat(9)}`;

function transcript(calls: number): object {
  const messages: unknown[] = [{ role: 'user', content: 'compare the lists' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `call_${String(call)}`;
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: `list ${id}` } };
    messages.push({ role: 'assistant', content: [use] });
    const result = { type: 'tool_result', tool_use_id: id, content: `${secret} found by ${id}` };
    messages.push({ role: 'user', content: [result] });
  }
  return { id: 'one', messages };
}

async function imported(): Promise<FakeMachine> {
  const folder = makeFolder();
  const machine = { cwd: folder, env: { CTX_STORE: 'sqlite:ctx.db' } };
  const file = writeJsonFile(folder, 'one.json', transcript(3));
  // What an older version stored with its secrets must not go out.
  expect(await runOn(machine, 'import', file, '--redact', 'off')).toMatchObject({ exitCode: 0 });
  return machine;
}

describe('ctx share', () => {
  it('writes a session as one file that only its owner reads, secrets taken out', async () => {
    const machine = await imported();
    const run = await runOn(machine, 'share', 'on', '-o', 'one.html');
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toMatch(/^one: 3 requests, .* secrets taken out: [1-9]/);
    const path = join(machine.cwd, 'one.html');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const page = readFileSync(path, 'utf8');
    expect(page).toContain('found by call_2');
    expect(page).not.toContain(secret);
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  });

  it('writes one request, which holds nothing that came later, and says how many there are', async () => {
    const machine = await imported();
    const run = await runOn(machine, 'share', 'one', '--request', '2');
    const { stdout, stderr, exitCode } = run;
    expect(exitCode).toBe(0);
    expect(stderr).toContain('one: 2 requests');
    expect(stdout).toContain('found by call_0');
    expect(stdout).not.toContain('found by call_1');
    const beyond = await runOn(machine, 'share', 'one', '--request', '9');
    expect(beyond).toMatchObject({ exitCode: 3, stdout: '' });
    expect(beyond.stderr).toContain('one has 3 requests');
  });
});
