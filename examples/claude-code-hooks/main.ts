/**
 * What `ctx hook claude-code` does, without Claude Code: the events that it would send, in its shapes, and what it is answered. In
 * real life `ctx init claude-code` installs the command, and each event is a process of its own.
 */
import assert from 'node:assert/strict';
import { handleHook, planHookSettings, readHookInput } from '@ctx/claude-code';
import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';

const store = await openStore(memoryBackend(), { redactor: createRedactor() });

const send = (event: Readonly<Record<string, unknown>>) =>
  handleHook(store, readHookInput(JSON.stringify({ session_id: 'session-1', ...event })));

// 1. A tool returned much. All of it is stored; the model gets a preview, in the shape of the tool.
const log = Array.from({ length: 4000 }, (_, line) => `test ${String(line)} passed`).join('\n');
await send({ hook_event_name: 'SessionStart', source: 'startup' });
const event = {
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  tool_response: { stdout: log, stderr: '', interrupted: false, isImage: false },
  tool_use_id: 'toolu_1',
};
const answer = await send(event);
const replaced = JSON.stringify(answer);
assert.match(replaced, /"updatedToolOutput":\{"stdout":"\[ctx: the whole result/);
assert.ok(replaced.length < log.length / 10);

// 2. The same event again, as a host may send it: nothing is stored twice, and the answer is the same.
assert.deepEqual(await send(event), answer);
const { entries } = await store.outputs.pointers({ sessionId: 'session-1' });
assert.equal(entries.length, 1);
const [pointer] = entries;
assert.equal(pointer && (await store.outputs.load(pointer))?.result, log);

// 3. After a compaction a prompt that the output answers is told where it is; another one is not.
await send({ hook_event_name: 'PreCompact', trigger: 'auto' });
const ask = (prompt: string) => send({ hook_event_name: 'UserPromptSubmit', prompt });
const told = JSON.stringify(await ask('Which test passed in the npm test run?'));
assert.ok(pointer !== undefined && told.includes(pointer.id));
assert.deepEqual(await ask('Good morning'), {});

// 4. Installing keeps what is in the settings, and can be taken back.
const settings = { model: 'opus', hooks: { Stop: [{ hooks: [{ type: 'command' }] }] } };
const command = { command: 'ctx', args: [] };
const installed = planHookSettings(settings, command);
const removed = planHookSettings(installed.settings, command, { action: 'remove' });
assert.deepEqual(removed.settings, settings);

await store.close();
console.log(`${String(log.length)} characters returned, ${String(replaced.length)} shown`);
