import { type Message, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import type { PolicyRun } from '../replay-policy.ts';
import { testContext } from '../test-support/test-context.ts';
import { batch } from './batch.ts';
import { recipes } from './recipe.ts';
import { sliding } from './sliding.ts';

const outputs = new Map<string, never>();

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Bash', input: {} }],
});
const result = (toolUseId: string, text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }] }],
});

/** A task and `count` calls with results of 10,000 tokens. */
function fill(run: PolicyRun, count: number): void {
  run.insert(Object.freeze(user('task')), outputs);
  for (let index = 0; index < count; index += 1) {
    run.insert(Object.freeze(call(`c${String(index)}`)), outputs);
    run.insert(Object.freeze(result(`c${String(index)}`, 'x'.repeat(10_000))), outputs);
  }
}

function wholeResults(run: PolicyRun): number {
  const text = JSON.stringify(run.render(0));
  expect(validateMessages(run.render(0))).toEqual([]);
  return text.split('x'.repeat(10_000)).length - 1;
}

describe('the policies of others', () => {
  it('sliding keeps the newest 10 results at every request', () => {
    const run = sliding.start(testContext());
    fill(run, 12);
    expect(wholeResults(run)).toBe(10);
  });

  it.each([
    [9, 9],
    [11, 3],
  ])('batch clears at 100,000 tokens, and keeps 3: of %i results %i', (count, kept) => {
    const run = batch.start(testContext());
    fill(run, count);
    expect(wholeResults(run)).toBe(kept);
  });

  it('batch clears at 80 % of a small window', () => {
    const run = batch.start(testContext({ windowTokens: 64_000 }));
    fill(run, 6);
    expect(wholeResults(run)).toBe(3);
  });

  it("the recipe takes out all reasoning, as the AI SDK's `reasoning: 'all'` does", () => {
    const run = recipes[0]?.start(testContext());
    expect(run).toBeDefined();
    if (run === undefined) return;
    const thinking = { type: 'opaque', format: 'anthropic:thinking', data: {} } as const;
    fill(run, 11);
    const asked = call('z');
    run.insert({ ...asked, content: [thinking, ...asked.content] }, outputs);
    run.insert(result('z', 'ok'), outputs);
    expect(run.render(0).flatMap(({ content }) => content)).not.toContain(thinking);
    expect(validateMessages(run.render(0))).toEqual([]);
  });

  it.each([
    ['recipe', 9, 11],
    ['recipe-70k', 6, 8],
    ['recipe-50k', 4, 6],
  ])('%s prunes calls and results over its trigger, for good', (name, below, above) => {
    const recipe = recipes.find((policy) => policy.name === name);
    const small = recipe?.start(testContext());
    const large = recipe?.start(testContext());
    if (small === undefined || large === undefined) throw new Error(`no ${name}`);
    fill(small, below);
    fill(large, above);
    expect(wholeResults(small)).toBe(below);
    // The last three messages hold a result, its call, and the result before.
    expect(wholeResults(large)).toBe(2);
    expect(large.render(0)).toHaveLength(5);
  });
});
