import { createRedactor } from '@ctx/redact';
import { type ContextStore, openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { describe, expect, it } from 'vitest';
import { tallyHookCalls } from './hook-calls.ts';
import type { ToolUseInput } from './hook-input.ts';
import { recordToolUse } from './record-tool-use.ts';

const log = Array.from({ length: 3000 }, (_, line) => `test ${String(line)} passed`).join('\n');

function bash(toolUseId: string, stdout: string, more: Partial<ToolUseInput> = {}): ToolUseInput {
  return {
    event: 'PostToolUse',
    sessionId: 's',
    toolName: 'Bash',
    toolInput: { command: 'npm test' },
    toolResponse: { stdout, stderr: '', interrupted: false, isImage: false },
    toolUseId,
    ...more,
  };
}

const open = (): Promise<ContextStore> => openStore(memoryBackend());

describe('recordToolUse', () => {
  it('stores a small result and changes nothing', async () => {
    const store = await open();
    const { answer, pointer } = await recordToolUse(store, bash('t1', 'ok'));
    expect(answer).toEqual({});
    expect((await store.outputs.load(pointer ?? { id: '' }))?.result).toBe('ok');
  });

  it('leaves a preview of a large one, in the shape of the tool, and keeps all of it', async () => {
    const store = await open();
    const given = bash('t1', log);
    const before = structuredClone(given);
    const { answer, pointer, offloaded } = await recordToolUse(store, given);
    expect(offloaded).toBe(true);
    const shown = answer.hookSpecificOutput;
    expect(shown).toMatchObject({
      hookEventName: 'PostToolUse',
      updatedToolOutput: { stderr: '', interrupted: false, isImage: false },
    });
    expect(JSON.stringify(shown)).toContain(`ctx read ctx://outputs/${pointer?.id ?? ''} --lines`);
    expect(approximateTokens(JSON.stringify(shown))).toBeLessThan(1000);
    expect((await store.outputs.load(pointer ?? { id: '' }))?.result).toBe(log);
    expect(given).toEqual(before);
    const tally = await tallyHookCalls(store, 's');
    expect(tally).toMatchObject({ calls: 1, offloaded: 1 });
    expect(tally.savedTokens).toBeGreaterThan(10_000);
  });

  it('leaves a preview of a large error, as a text like the error itself', async () => {
    const store = await open();
    const error = `Error: exit 1\n${'the build said this line\n'.repeat(3000)}`;
    const { answer, pointer, offloaded } = await recordToolUse(
      store,
      bash('t1', '', { toolResponse: error }),
    );
    expect(offloaded).toBe(true);
    const { updatedToolOutput } = answer.hookSpecificOutput as { updatedToolOutput: string };
    expect(updatedToolOutput).toContain(`ctx://outputs/${pointer?.id ?? ''}`);
    expect(updatedToolOutput.length).toBeLessThan(error.length / 4);
    const output = await store.outputs.load(pointer ?? { id: '' });
    expect(output?.result).toBe(error);
  });

  it('stores the same call once and answers the same, also another process does', async () => {
    const place = createMemoryPlace();
    const one = await openStore(memoryBackend({ place }));
    const two = await openStore(memoryBackend({ place }));
    const first = await recordToolUse(one, bash('t1', log));
    const again = await recordToolUse(two, bash('t1', log));
    expect(again).toMatchObject({ repeated: true, answer: first.answer });
    const at = await Promise.all([one, two].map((store) => recordToolUse(store, bash('t2', log))));
    expect(at[1]?.answer).toEqual(at[0]?.answer);
    expect(await one.outputs.tally({ sessionId: 's' })).toMatchObject({ outputs: 2 });
    expect(await tallyHookCalls(one, 's')).toMatchObject({ calls: 2 });
  });

  it('takes an id that comes again with another result for another call', async () => {
    const store = await open();
    await recordToolUse(store, bash('t1', 'one'));
    const { repeated } = await recordToolUse(store, bash('t1', 'two'));
    expect(repeated).toBe(false);
    expect(await store.outputs.tally({ sessionId: 's' })).toMatchObject({ outputs: 2 });
  });

  it('keeps the lanes of sub-agents apart', async () => {
    const store = await open();
    await recordToolUse(store, bash('t1', 'main'));
    await recordToolUse(store, bash('t1', 'main', { agentId: 'a1' }));
    const lane = await store.outputs.pointers({ sessionId: 's', taskId: 'a1' });
    expect(lane.entries).toHaveLength(1);
    expect(await tallyHookCalls(store, 's')).toMatchObject({ calls: 2 });
  });

  it('stores a response of an unknown shape and leaves it alone', async () => {
    const store = await open();
    const toolResponse = { surprise: log };
    const use = await recordToolUse(store, bash('t1', '', { toolName: 'New', toolResponse }));
    expect(use.answer).toEqual({});
    expect((await store.outputs.load(use.pointer ?? { id: '' }))?.result).toEqual(toolResponse);
    expect(
      (await recordToolUse(store, bash('t1', '', { toolName: 'New', toolResponse }))).repeated,
    ).toBe(true);
  });

  it('answers versions before 2.1.121 for tools of MCP servers only', async () => {
    const store = await open();
    const old = { hostVersion: '2.1.120' };
    const mcp = { toolName: 'mcp__s__t', toolResponse: [{ type: 'text', text: log }] };
    expect((await recordToolUse(store, bash('t1', log), old)).answer).toEqual({});
    expect((await recordToolUse(store, bash('t2', '', mcp), old)).answer).toMatchObject({
      hookSpecificOutput: { updatedMCPToolOutput: [{ type: 'text' }] },
    });
    for (const hostVersion of ['2.1.121', '2.2.0', '3.0.0', 'unknown', '']) {
      const { answer } = await recordToolUse(store, bash('t3', log), { hostVersion });
      expect(answer.hookSpecificOutput).toHaveProperty('updatedToolOutput');
    }
    expect(await tallyHookCalls(store, 's')).toMatchObject({ calls: 3, offloaded: 2 });
  });

  it('counts nothing as saved where the version takes no other result', async () => {
    const store = await open();
    await recordToolUse(store, bash('t1', log), { hostVersion: '2.1.120' });
    expect(await tallyHookCalls(store, 's')).toEqual({ calls: 1, offloaded: 0, savedTokens: 0 });
  });

  it('does not keep again what ctx read back, but for what hides behind it', async () => {
    const store = await open();
    const reading = (command: string) => bash('t1', 'line', { toolInput: { command } });
    expect(
      (await recordToolUse(store, reading('ctx read ctx://outputs/x --lines 1-9'))).pointer,
    ).toBe(undefined);
    expect(
      (
        await recordToolUse(
          store,
          bash('t2', 'x', { toolName: 'mcp__ctx__read', toolResponse: 'x' }),
        )
      ).pointer,
    ).toBe(undefined);
    expect((await recordToolUse(store, reading('ctx read x; cat secrets'))).pointer).toBeDefined();
    const other = bash('t4', 'x', { toolName: 'Remote', toolInput: { command: 'ctx read x' } });
    expect((await recordToolUse(store, other)).pointer).toBeDefined();
    const whole = bash('t3', log, { toolInput: { command: 'ctx read ctx://outputs/x' } });
    expect((await recordToolUse(store, whole)).offloaded).toBe(true);
  });

  it('takes secrets out of what is stored and of previews, not of a result that stays', async () => {
    const store = await openStore(memoryBackend(), { redactor: createRedactor() });
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const small = await recordToolUse(store, bash('t1', `token ${secret}`));
    const large = await recordToolUse(store, bash('t2', `${secret}\n${log}`));
    expect(small.answer).toEqual({});
    expect(JSON.stringify(large.answer)).not.toContain(secret);
    for (const { pointer } of [small, large]) {
      const { result } = (await store.outputs.load(pointer ?? { id: '' })) ?? {};
      expect(String(result)).toContain('[redacted: github-token #1]');
    }
    expect((await recordToolUse(store, bash('t2', `${secret}\n${log}`))).answer).toEqual(
      large.answer,
    );
  });

  it('takes ids of any kind', async () => {
    const store = await open();
    const ids = [
      '../../etc/passwd',
      '__proto__',
      '*',
      '%',
      '{"$gt":""}',
      'C:\\CON',
      '😀',
      'x'.repeat(5000),
    ];
    for (const id of ids) {
      const sessionId = id.slice(0, 300);
      const use = { sessionId, agentId: id };
      expect((await recordToolUse(store, bash(id, 'ok', use))).pointer).toBeDefined();
      expect((await recordToolUse(store, bash(id, 'ok', use))).repeated).toBe(true);
    }
  });
});
