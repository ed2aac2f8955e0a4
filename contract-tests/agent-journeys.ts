import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { hugeMarker, scenarioSteps } from './agent-scenario.ts';
import { inFolder } from './child-program.ts';
import { type Prompt, problemsOfPrompt, textOfPrompt, tokensOfPrompt } from './judge-prompt.ts';
import { type DurableKind, durableKinds, openDurableStore } from './open-durable-store.ts';
import { stepsNotKeptOnce } from './recorded-logs.ts';
import { waysToTry } from './ways-to-try.ts';

/** A part of a conversation, in the form in which AI SDK and Mastra take it. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What a run left. */
export interface JourneyRun<Kept> {
  readonly prompts: readonly Prompt[];
  readonly text: string;
  /** The conversation as the host has it after the run. */
  readonly history: Kept;
}

/** An agent that takes steps of the scenario, behind a conversation of before, after something new was said. */
export type JourneyAgent<Kept> = (
  manager: ContextManager,
  part: {
    readonly from: number;
    readonly to: number;
    readonly before?: Kept;
    readonly said: readonly Said[];
  },
) => Promise<JourneyRun<Kept>>;

const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };
const half = 30;
const task: Said = { role: 'user', content: 'Go through the log, step by step.' };
const goOn: Said = { role: 'user', content: 'Go on.' };

function managerOf(store: ContextStore, compaction?: false): ContextManager {
  const off = compaction === false ? { compaction } : {};
  return createContextManager({ store, sessionId: 's', model, ...off });
}

function expectFits(prompts: readonly Prompt[]): void {
  expect(prompts.length).toBeGreaterThan(0);
  for (const prompt of prompts) {
    expect(problemsOfPrompt(prompt)).toEqual([]);
    expect(tokensOfPrompt(prompt)).toBeLessThan(16_000);
    expect(JSON.stringify(prompt)).not.toContain(hugeMarker);
  }
}

/** An agent whose process ends in the middle of the scenario, and another one that goes on. */
async function goOnElsewhere<Kept>(run: JourneyAgent<Kept>, kind: DurableKind): Promise<void> {
  await inFolder(async (folder) => {
    const first = await openDurableStore(kind, folder);
    const before = managerOf(first, false);
    const one = await run(before, { from: 1, to: half, said: [task] });
    await before.end();
    await first.close();
    const second = await openDurableStore(kind, folder);
    const after = managerOf(second, false);
    // The host keeps its history as JSON.
    const kept = JSON.parse(JSON.stringify(one.history)) as Kept;
    const part = { from: half + 1, to: scenarioSteps, before: kept, said: [goOn] };
    const two = await run(after, part);
    expect(two.text).toBe('done to 60');
    const last = one.prompts.at(-1) ?? [];
    const [next = []] = two.prompts;
    expect(textOfPrompt(next.slice(0, last.length))).toBe(textOfPrompt(last));
    expect(next).toHaveLength(last.length + 2);
    expectFits([...one.prompts, ...two.prompts]);
    expect(await stepsNotKeptOnce(after)).toEqual([]);
    await second.close();
  });
}

/** The ways of an agent's life: another process goes on, it goes back, it is compacted. The same for each host. */
export function describeJourneys<Kept>(run: JourneyAgent<Kept>): void {
  it.each(waysToTry(durableKinds))(
    'goes on in another process where it was, on %s: nothing twice, every output at hand',
    async (kind) => {
      await goOnElsewhere(run, kind);
    },
  );

  it('goes back, knows nothing of what came later, and goes on from where it was', async () => {
    const manager = managerOf(await openStore(memoryBackend()), false);
    const { history } = await run(manager, { from: 1, to: half, said: [task] });
    const kept = structuredClone(history);
    await manager.checkpoint('half');
    await run(manager, { from: half + 1, to: scenarioSteps, before: history, said: [goOn] });
    await manager.restore('half');
    const asked: Said = { role: 'user', content: 'And now?' };
    const { prompts } = await run(manager, { from: 1, to: 0, before: kept, said: [asked] });
    expectFits(prompts);
    expect(JSON.stringify(prompts)).toContain('call-30');
    expect(JSON.stringify(prompts)).not.toMatch(/call-3[1-9]/);
  });

  it('is compacted, stays valid and small, and the user’s words stay in it', async () => {
    const manager = managerOf(await openStore(memoryBackend()));
    let compactions = 0;
    manager.on('compacted', ({ window }) => {
      compactions += Number(window.compacted);
    });
    const chatter = Array.from({ length: 45 }, (_, index): Said[] => [
      { role: 'user', content: `question ${String(index)} ${'word '.repeat(120)}` },
      { role: 'assistant', content: `answer ${String(index)} ${'word '.repeat(120)}` },
    ]).flat();
    const part = { from: 1, to: scenarioSteps, said: [...chatter, task] };
    const { text, prompts } = await run(manager, part);
    expect(text).toBe('done to 60');
    expect(compactions).toBeGreaterThan(0);
    expectFits(prompts);
    for (const prompt of prompts) expect(JSON.stringify(prompt)).toContain(task.content);
  });
}
