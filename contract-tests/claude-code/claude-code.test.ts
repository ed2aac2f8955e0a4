import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HookMachine, makeHookMachine, printedCommands } from './hook-process.ts';
import { largeResponses, largeText, untouchedResponses } from './tool-responses.ts';
import { isBuilt, why, eventOf, replacedBy, shapeOf } from './hook-responses.ts';

// Each hook is a process; a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

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
