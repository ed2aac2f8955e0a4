import { automaticCompaction } from '@ctx/agent-adapter';
import { type Message, repairMessages, validateMessages } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaySession } from '../replay.ts';
import type { PolicyRun } from '../replay-policy.ts';
import { testContext, testPrice } from '../test-support/test-context.ts';
import { compactAtLimit } from './compact-at-limit.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const outputs = new Map<string, never>();

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string): Message => ({
  role: 'assistant',
  content: [
    { type: 'text', text: `I look at ${id}` },
    { type: 'tool_use', id, name: 'Read', input: { path: `${id}.ts` } },
  ],
});
const result = (toolUseId: string, text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }] }],
});

/** What is sent, after what has to be done for it. */
async function sent(run: PolicyRun): Promise<readonly Message[]> {
  await run.prepare?.(0);
  return run.render(0);
}

/** The task, and `count` calls with results of 5,000 tokens; the limit of a window of 64,000 is 37,000. */
function filled(count: number, run: PolicyRun = start()): PolicyRun {
  run.insert(Object.freeze(user('the task')), outputs);
  for (let index = 0; index < count; index += 1) {
    run.insert(Object.freeze(call(`c${String(index)}`)), outputs);
    run.insert(Object.freeze(result(`c${String(index)}`, 'x'.repeat(5000))), outputs);
  }
  return run;
}

const start = (): PolicyRun => compactAtLimit.start(testContext({ windowTokens: 64_000 }));

describe('compacting at the limit', () => {
  it('sends everything below the limit, and asks for nothing', async () => {
    const run = filled(6);
    expect(await sent(run)).toHaveLength(13);
    expect(run.calls?.()).toEqual([]);
  });

  it('keeps the task and the newest messages, with a summary between them', async () => {
    const run = filled(8);
    const view = await sent(run);
    expect(view[0]).toEqual(user('the task'));
    expect(JSON.stringify(view[1])).toContain('14 earlier messages in short');
    expect(JSON.stringify(view[1])).toContain('c0.ts');
    expect(view.slice(2)).toEqual([call('c7'), result('c7', 'x'.repeat(5000))]);
    expect(validateMessages(view)).toEqual([]);
  });

  it('prices the call of the summariser: what it reads is the beginning of what was sent, and the summary is its answer', async () => {
    const run = filled(8);
    const view = await sent(run);
    const [asked, ...more] = run.calls?.() ?? [];
    expect(more).toEqual([]);
    expect(asked?.messages.slice(0, 3)).toEqual([
      user('the task'),
      call('c0'),
      result('c0', 'x'.repeat(5000)),
    ]);
    expect(asked?.messages).toHaveLength(1 + 14 + 1);
    expect(JSON.stringify(view[1])).toContain('I look at c3');
    expect(asked?.outputTokens).toBeGreaterThan(100);
    expect(validateMessages(asked?.messages ?? [])).toEqual([]);
    await sent(run);
    expect(run.calls?.()).toEqual([]);
  });

  it('adds that call to the cost of a replay, and counts the break behind it', async () => {
    const store = await openStore(memoryBackend(), { tokenCounter: (given) => given.length });
    const messages = [user('the task')];
    for (let index = 0; index < 20; index += 1) {
      messages.push(call(`c${String(index)}`), result(`c${String(index)}`, 'x'.repeat(2000)));
    }
    messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });
    const { requests, policies } = await replaySession(
      { id: 'one', messages },
      {
        store,
        policies: [compactAtLimit],
        price: testPrice,
        countTokens: (given) => given.length,
        compactWindow: automaticCompaction,
        windowTokens: 64_000,
      },
    );
    const [{ cost, overWindow, invalid } = { cost: undefined }] = policies;
    expect(cost?.requests).toBe(requests + 1);
    expect({ breaks: cost?.prefixBreaks, overWindow, invalid }).toEqual({
      breaks: 1,
      overWindow: 0,
      invalid: 0,
    });
  });

  it('sums up what the summary before stood for, too', async () => {
    const run = filled(8);
    await sent(run);
    const again = await sent(filled(8, run));
    expect(JSON.stringify(again)).toContain('31 earlier messages in short');
    expect(JSON.stringify(again)).toContain('c0.ts');
    expect(again.filter(({ role }) => role === 'user')).toHaveLength(3);
  });

  it('sends valid requests, whatever the session, and never more than before', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const text = fc.constantFrom('word', 'x'.repeat(2000), 'y'.repeat(30_000));
    const any = fc.oneof(
      text.map(user),
      id.map(call),
      fc.tuple(id, text).map(([each, out]) => result(each, out)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 30 }), async (messages) => {
        const run = start();
        for (const message of repairMessages(messages).messages) {
          run.insert(message, outputs);
          if (message.role !== 'assistant') expect(validateMessages(await sent(run))).toEqual([]);
        }
      }),
      { numRuns: 200 * share },
    );
  });
});
