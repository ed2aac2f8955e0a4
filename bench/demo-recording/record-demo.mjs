/**
 * Records the demo session: an agent with real tools (read, grep, edit, test run) does three chores in a copy of this repository.
 * What the agent says is written down in chore.mjs; every tool result is what the tool really returned.
 * Run: `node bench/demo-recording/record-demo.mjs` in a checkout with everything installed and committed. Writes apps/cli/demo/session.json.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chore } from './chore.mjs';
import { createTools } from './tools.mjs';

const source = resolve(import.meta.dirname, '../..');
const target = join(source, 'apps/cli/demo/session.json');
const scratch = mkdtempSync(join(tmpdir(), 'ctx-demo-'));
const root = join(scratch, 'repo');

/** Clones the commit and lends it the installed dependencies. */
function prepare() {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', source, root]);
  execFileSync('git', ['config', 'user.email', 'demo@example.invalid'], { cwd: root });
  const folders = execFileSync('git', ['ls-files', '--', '*package.json'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((path) => path.slice(0, -'package.json'.length));
  for (const folder of folders) {
    try {
      symlinkSync(join(source, folder, 'node_modules'), join(root, folder, 'node_modules'));
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  rmSync(join(root, 'apps/cli/demo/session.json'), { force: true });
}

function record() {
  const tools = createTools(root);
  const messages = [];
  let calls = 0;
  for (const turn of chore(root)) {
    messages.push({ role: 'user', content: [{ type: 'text', text: turn.user }] });
    for (const step of turn.steps) {
      const uses = step.calls.map(({ name, input }) => {
        calls += 1;
        return { type: 'tool_use', id: `call_${String(calls).padStart(4, '0')}`, name, input };
      });
      messages.push({ role: 'assistant', content: [{ type: 'text', text: step.say }, ...uses] });
      const results = uses.map(({ id, name, input }) => {
        const { text, isError } = tools[name](input);
        process.stderr.write(
          `${id} ${name} ${text.length} characters${isError ? ' (failed)' : ''}\n`,
        );
        const result = { type: 'tool_result', tool_use_id: id, content: text };
        return isError ? { ...result, is_error: true } : result;
      });
      messages.push({ role: 'user', content: results });
    }
    messages.push({ role: 'assistant', content: [{ type: 'text', text: turn.done }] });
  }
  return messages;
}

try {
  prepare();
  const system =
    'You are a careful engineer in the repository /repo. You have the tools Read, Grep, Edit and Bash. Look before you change, and test what you change.';
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  const recorded = {
    about:
      'A recording of real tools over this repository, made by bench/demo-recording/record-demo.mjs.',
    id: 'demo',
    commit: commit.trim(),
    system,
    messages: record(),
  };
  writeFileSync(target, `${JSON.stringify(recorded)}\n`);
  process.stderr.write(`wrote ${target}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
