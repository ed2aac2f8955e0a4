import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HookMachine, makeHookMachine } from './hook-process.ts';
import { type RecordedCall, recordedCalls } from './recorded-calls.ts';
import { largeText } from './tool-responses.ts';
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
});

const recorded = isBuilt ? recordedCalls() : [];

/** How many calls of a tool are tried, the largest first: a process each takes its time. */
const callsOfTool = 5;

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
