import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type HookMachine,
  type HookRun,
  makeHookMachine,
  printedCommands,
} from './hook-process.ts';
import { type RecordedCall, recordedCalls } from './recorded-calls.ts';
import { largeResponses, largeText, untouchedResponses } from './tool-responses.ts';

// Each hook is a process; a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const isBuilt = existsSync(fileURLToPath(new URL('../../apps/cli/dist/bin.cjs', import.meta.url)));
const why = isBuilt ? '' : ' (skipped: the command is not built)';

function eventOf({ toolUseId, toolName, toolInput, toolResponse }: RecordedCall) {
  return {
    session_id: 'contract',
    transcript_path: '/nowhere.jsonl',
    cwd: '/',
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: toolName,
    tool_input: toolInput,
    tool_response: toolResponse,
    tool_use_id: toolUseId,
    duration_ms: 12,
  };
}

/** What a hook put in the place of a response; `undefined` where it changed nothing. */
function replacedBy({ exitCode, stdout, stderr }: HookRun): unknown {
  expect([exitCode, stderr]).toEqual([0, '']);
  const answer = JSON.parse(stdout) as {
    hookSpecificOutput?: { hookEventName: string; updatedToolOutput: unknown };
  };
  if (answer.hookSpecificOutput === undefined) {
    expect(stdout).toBe('{}\n');
    return undefined;
  }
  expect(answer.hookSpecificOutput.hookEventName).toBe('PostToolUse');
  return answer.hookSpecificOutput.updatedToolOutput;
}

/** The members of a value and of what is in it, without what they hold. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('persistedOutput'));
  return Object.fromEntries(entries.map(([name, member]) => [name, shapeOf(member)]));
}

describe.skipIf(!isBuilt)(`the hooks of Claude Code, a process each${why}`, () => {
  let machine: HookMachine;
  beforeAll(() => {
    machine = makeHookMachine();
  });
  afterAll(() => {
    machine.remove();
  });

  const storedText = async (replaced: unknown): Promise<string> => {
    const [, pointer = ''] = /(ctx:\/\/outputs\/[\w-]+)/.exec(JSON.stringify(replaced)) ?? [];
    return (await machine.ctx('read', pointer)).stdout;
  };

  it.each(largeResponses)(
    '%s %j: leaves a preview in the shape of the tool',
    async (toolName, toolInput, toolResponse) => {
      const toolUseId = `large ${JSON.stringify(toolInput)}`;
      const run = await machine.hook(eventOf({ toolUseId, toolName, toolInput, toolResponse }));
      const replaced = replacedBy(run);
      expect(shapeOf(replaced)).toEqual(shapeOf(toolResponse));
      expect(run.stdout.length).toBeLessThan(8000);
      const asText = typeof toolResponse === 'string' ? toolResponse : largeText;
      expect((await storedText(replaced)).trimEnd()).toBe(asText);
    },
  );

  it('names commands that read the whole output back as they are printed', async () => {
    const run = await machine.hook(
      eventOf({
        ...{ toolUseId: 'printed', toolName: 'Bash', toolInput: { command: 'make all' } },
        toolResponse: { stdout: largeText, stderr: '', isImage: false },
      }),
    );
    const [byLines, byPattern] = printedCommands(run, "'line 1234 '");
    const lines = await machine.shell(byLines);
    expect([lines.exitCode, lines.stderr]).toEqual([0, '']);
    expect(lines.stdout).toContain(largeText.split('\n').slice(0, 200).join('\n'));
    const found = await machine.shell(byPattern);
    expect([found.exitCode, found.stderr]).toEqual([0, '']);
    expect(found.stdout).toContain('line 1234 of it');
  });

  it.each(untouchedResponses)(
    '%s %j: is stored and left as it is',
    async (toolName, toolInput, toolResponse) => {
      const toolUseId = `whole ${toolName} ${JSON.stringify(toolInput)}`;
      const run = await machine.hook(eventOf({ toolUseId, toolName, toolInput, toolResponse }));
      expect(replacedBy(run)).toBeUndefined();
    },
  );

  it('loads neither the loader of the newer form of modules nor the parts of Node for sockets, threads and timings', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ctx-parts-'));
    const tell = join(folder, 'tell.cjs');
    writeFileSync(
      tell,
      "process.on('exit', () => require('node:fs').writeSync(2, process.moduleLoadList.join('\\n')));",
    );
    const watched = makeHookMachine(undefined, {
      ...{ NODE_OPTIONS: `--require=${tell}`, CTX_HOOK_RESIDENT: 'off' },
    });
    const { stdout, stderr } = await watched.hook({
      ...{ session_id: 'parts', hook_event_name: 'SessionStart', source: 'startup' },
    });
    watched.remove();
    rmSync(folder, { recursive: true });
    expect(stdout).toBe('{}\n');
    const loaded = stderr.split('\n').map((line) => line.replace('NativeModule ', ''));
    expect(loaded).toContain('crypto');
    const seldom = ['internal/modules/esm/translators', 'net', 'perf_hooks', 'worker_threads'];
    expect(loaded.filter((name) => seldom.includes(name))).toEqual([]);
  });

  it('takes twenty hooks of one session at once, and none waits until it fails', async () => {
    const event = (index: number) => ({
      ...eventOf({
        toolUseId: `parallel-${String(index)}`,
        toolName: 'Bash',
        toolInput: { command: `make part-${String(index)}` },
        toolResponse: { stdout: `${String(index)}\n${largeText}`, stderr: '', isImage: false },
      }),
      session_id: 'twenty',
    });
    const all = Array.from({ length: 20 }, (_, index) => event(index));
    const runs = await Promise.all(all.map((each) => machine.hook(each)));
    for (const run of runs) expect(replacedBy(run)).toBeDefined();
    const again = await Promise.all(all.slice(0, 5).map((each) => machine.hook(each)));
    expect(again.map(({ stdout }) => stdout)).toEqual(runs.slice(0, 5).map(({ stdout }) => stdout));
    await machine.hook({ session_id: 'twenty', hook_event_name: 'SessionEnd' });
    const { stdout } = await machine.ctx('outputs', 'twenty', '--json');
    expect((JSON.parse(stdout) as { outputs: unknown[] }).outputs).toHaveLength(20);
    expect((await machine.ctx('doctor')).exitCode).toBe(0);
    expect(statSync(machine.storePath).mode & 0o777).toBe(0o600);
  });

  it('has one output and one answer where the same hook is called twice at once', async () => {
    const event = {
      ...eventOf({
        toolUseId: 'twice',
        toolName: 'Bash',
        toolInput: { command: 'make' },
        toolResponse: { stdout: largeText, stderr: '', isImage: false },
      }),
      session_id: 'twice',
    };
    const [one, other] = await Promise.all([machine.hook(event), machine.hook(event)]);
    expect(other.stdout).toBe(one.stdout);
    const { stdout } = await machine.ctx('outputs', 'twice', '--json');
    expect((JSON.parse(stdout) as { outputs: unknown[] }).outputs).toHaveLength(1);
  });
});

const recorded = isBuilt ? recordedCalls() : [];

/** How many calls of a tool are tried, the largest first: a process each takes its time. The campaigns try more. */
const callsOfTool = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 5 : 1;

/** A few of each tool. */
function chosen(calls: readonly RecordedCall[]): RecordedCall[] {
  const size = ({ toolResponse }: RecordedCall): number =>
    JSON.stringify(toolResponse ?? null).length;
  const byTool = new Map<string, RecordedCall[]>();
  for (const call of calls) byTool.set(call.toolName, [...(byTool.get(call.toolName) ?? []), call]);
  return [...byTool.values()].flatMap((group) =>
    group.toSorted((a, b) => size(b) - size(a)).slice(0, callsOfTool),
  );
}

describe.skipIf(recorded.length === 0)(
  `recorded calls${recorded.length === 0 ? ' (skipped: no recorded sessions here)' : ''}`,
  () => {
    it('each is answered in its own shape or left alone, and comes back', async () => {
      const machine = makeHookMachine();
      try {
        let replacedCalls = 0;
        for (const call of chosen(recorded)) {
          const replaced = replacedBy(await machine.hook(eventOf(call)));
          if (replaced === undefined) continue;
          replacedCalls += 1;
          expect(shapeOf(replaced)).toEqual(shapeOf(call.toolResponse));
        }
        expect(replacedCalls).toBeGreaterThan(0);
        await machine.hook({ session_id: 'contract', hook_event_name: 'Stop' });
        const { stdout } = await machine.ctx('status', 'contract', '--json');
        expect(JSON.parse(stdout)).toMatchObject({ toolCalls: { total: chosen(recorded).length } });
      } finally {
        machine.remove();
      }
    });
  },
);
