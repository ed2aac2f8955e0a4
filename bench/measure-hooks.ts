import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * How long each hook of Claude Code takes, beside a bare start of the same Node, one after the other so that a busy machine slows both;
 * on such a machine the CPU time tells more.
 * `npm run bench -- hooks [rounds] [node]`; the second is another Node's binary.
 */
const [rounds = '40', node = process.execPath] = process.argv.slice(2);
const bin = fileURLToPath(new URL('../../apps/cli/dist/bin.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-hooks-'));
const tellCpu = join(folder, 'tell-cpu.cjs');
writeFileSync(
  tellCpu,
  `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, 'CPU ' + (user + system) / 1000);
});`,
);
const env = {
  NODE_OPTIONS: `--require=${tellCpu}`,
  ...{ PATH: process.env['PATH'], HOME: folder, CTX_STORE: `sqlite:${join(folder, 'ctx.db')}` },
  ...{ XDG_DATA_HOME: join(folder, 'data'), XDG_CACHE_HOME: join(folder, 'cache') },
};

const text = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `test ${String(line)} passed`).join('\n');

function toolUse(id: string, stdout: string): object {
  return {
    ...{ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: id },
    tool_input: { command: 'npm test' },
    tool_response: { stdout, stderr: '', interrupted: false, isImage: false },
  };
}

const transcript = join(folder, 'session.jsonl');

/** A session's file grows by a turn with a result of 8 KB between two hooks. */
function growTranscript(round: number): void {
  const place = { sessionId: 's', version: '2.1.197', cwd: folder, isSidechain: false };
  const id = `t${String(round)}`;
  const lines = [
    {
      type: 'assistant',
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } }],
      },
    },
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: text(400) }],
      },
    },
  ].map((line, index) => ({
    ...place,
    ...line,
    uuid: `${id}-${String(index)}`,
    parentUuid: index === 0 ? null : `${id}-0`,
    timestamp: new Date(1_790_000_000_000 + round * 10_000 + index).toISOString(),
  }));
  appendFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

type Kind = readonly [name: string, args: readonly string[], event: (round: number) => object];

const hook = [bin, 'hook', 'claude-code'];
const told = (event: string, more: object = {}) => ({
  ...{ session_id: 's', transcript_path: transcript, hook_event_name: event },
  ...more,
});
/** What happens again and again in a session. */
const kinds: readonly Kind[] = [
  ['bare node', ['-e', '0'], () => ({})],
  ['UserPromptSubmit', hook, () => told('UserPromptSubmit', { prompt: 'which test failed?' })],
  ['PostToolUse, small', hook, (round) => toolUse(`s${String(round)}`, `ok ${String(round)}`)],
  [
    'PostToolUse, 67 KB',
    hook,
    (round) => toolUse(`l${String(round)}`, `${String(round)}\n${text(4000)}`),
  ],
  ['Stop', hook, () => told('Stop')],
  ['PreCompact', hook, () => told('PreCompact', { trigger: 'auto' })],
  ['after compaction', hook, () => told('SessionStart', { source: 'compact' })],
  ['statusline', [bin, 'statusline'], () => ({ session_id: 's' })],
];
/** The process that answers the other hooks ends with the session: the first of the next one does without it. */
const ends: readonly Kind[] = [
  ['SessionEnd', hook, () => told('SessionEnd')],
  ['SessionStart', hook, () => told('SessionStart', { source: 'startup' })],
];

const wall = new Map<string, number[]>();
const cpu = new Map<string, number[]>();

function add(times: Map<string, number[]>, name: string, value: number): void {
  times.set(name, [...(times.get(name) ?? []), value]);
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? 0;
}

let turns = 0;

function call([name, args, event]: Kind, round: number): void {
  turns += 1;
  growTranscript(turns);
  const input = JSON.stringify(event(round));
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(node, args, { input, env, encoding: 'utf8' });
  const endedAt = performance.now();
  if (status !== 0) throw new Error(`${name} ended with ${String(status)}`);
  // The first rounds make the store and fill caches.
  if (round < 0) return;
  add(wall, name, endedAt - startedAt);
  add(cpu, name, Number(/CPU ([\d.]+)$/.exec(stderr)?.[1]));
}

for (let round = -3; round < Number(rounds); round += 1)
  for (const kind of kinds) call(kind, round);
for (let round = -1; round < Number(rounds) / 2; round += 1) {
  for (const kind of ends) call(kind, round);
  // The process that was started is there before the session goes on: nobody types that fast.
  await new Promise((resolve) => setTimeout(resolve, 500));
}

const failures = join(folder, 'data', 'ctx', 'hook.log');
if (existsSync(failures)) throw new Error(readFileSync(failures, 'utf8'));
rmSync(folder, { recursive: true, force: true });
console.log('ms                  wall p50     p95 CPU p50     p95');
for (const [name, times] of wall) {
  const own = cpu.get(name) ?? [];
  const cells = [at(times, 0.5), at(times, 0.95), at(own, 0.5), at(own, 0.95)];
  console.log(`${name.padEnd(20)} ${cells.map((cell) => cell.toFixed(0).padStart(8)).join('')}`);
}
