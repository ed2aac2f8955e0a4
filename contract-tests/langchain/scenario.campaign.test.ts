import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createContextManager } from '@ctx/agent-adapter';
import { createSaver } from '@ctx/agent-adapter/langchain';
import type { IdSource } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { sqliteBackend } from '@ctx/store-sqlite';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { afterEach, describe, expect, it } from 'vitest';
import { hugeMarker, scenarioSteps } from '../agent-scenario.ts';
import { prefixBreaks } from '../prefix-breaks.ts';
import { stepsNotKeptOnce } from '../recorded-logs.ts';
import {
  promptsOf,
  type ScriptPart,
  scenarioAgent,
  scenarioRun,
  scriptedModel,
  tokensOfPrompt,
  violationsOf,
} from './run-agent.ts';

const windowTokens = 16_000;

const start = { messages: [new HumanMessage('Go through the log, step by step.')] };

const profile = { name: 'm', windowTokens, price: 'anthropic-5m' };

interface Part extends ScriptPart {
  readonly persists?: boolean;
  /** Where the marks around quoted text come from. */
  readonly ids?: IdSource;
}

/** Ids of one size: what stays in a summary depends on the tokens of what it names. */
function idsOfOneSize(): IdSource {
  let last = 10_000_000;
  return () => {
    last += 1;
    return `${String(last)}abcd`;
  };
}

/** One process of the agent, on a store. */
function processOn(store: ContextStore, { persists = false, ids, ...part }: Part = {}) {
  const compaction = ids === undefined ? {} : { compaction: { ids } };
  const manager = createContextManager({ store, sessionId: 's', model: profile, ...compaction });
  const model = scriptedModel(part);
  const checkpointer = createSaver({ BaseCheckpointSaver, store });
  const agent = scenarioAgent({ model, manager, checkpointer, persists });
  return { manager, model, agent, checkpointer };
}

const clock = () => 1_000_000;

/** What a prompt says, without the names that are random. */
function sayingOf(prompt: readonly BaseMessage[]): string[] {
  return prompt.map((message) => {
    const calls = AIMessage.isInstance(message) ? message.tool_calls : undefined;
    const answers = ToolMessage.isInstance(message) ? message.tool_call_id : undefined;
    const said = JSON.stringify([message.type, message.content, calls, answers]);
    return said
      .replaceAll(/ctx:\/\/outputs\/[\w-]+/g, 'output')
      .replaceAll(/data [\w-]{12}/g, 'data');
  });
}

function checkPrompts(prompts: readonly BaseMessage[][]): void {
  for (const prompt of prompts) {
    expect(violationsOf(prompt)).toEqual([]);
    expect(JSON.stringify(prompt)).not.toContain(hugeMarker);
    expect(tokensOfPrompt(prompt)).toBeLessThan(windowTokens);
    expect(prompt[0]?.text).toBe('be brief');
  }
}

async function checkOutputs({ manager }: ReturnType<typeof processOn>): Promise<void> {
  expect(await stepsNotKeptOnce(manager)).toEqual([]);
  const pointers = await manager.getAllPointers();
  const outputs = await manager.loadContexts(pointers.map(({ id }) => id));
  const results = new Set(outputs.map(({ result }) => result));
  expect(results.has('Error: this tool fails')).toBe(true);
}

const removals: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const remove of removals.splice(0)) await remove();
});

describe('an agent of LangChain', { timeout: 120_000 }, () => {
  it('runs 60 steps in a small window: every prompt is valid and every output comes back', async () => {
    const store = await openStore(memoryBackend(), { clock });
    const run = processOn(store);
    let compactions = 0;
    run.manager.on('compacted', () => {
      compactions += 1;
    });
    const { messages } = await run.agent.invoke(start, scenarioRun);
    expect(messages.at(-1)?.text).toBe('all done');
    const prompts = promptsOf(run.model);
    expect(prompts).toHaveLength(scenarioSteps + 1);
    checkPrompts(prompts);
    await checkOutputs(run);
    // The state has all that was said, the huge output as a pointer.
    expect(messages.filter((message) => ToolMessage.isInstance(message))).toHaveLength(72);
    const huge = messages.find(
      (message) => ToolMessage.isInstance(message) && message.tool_call_id === 'call-20',
    );
    expect(huge).toMatchObject({
      name: 'read_log',
      artifact: { pointer: expect.stringMatching(/^ctx:\/\/outputs\//) as string },
    });
    await run.manager.end();
    const usage = (await store.sessions.get('s'))?.document.token_usage;
    expect(usage?.total_input).toBe(prompts.reduce((sum, each) => sum + tokensOfPrompt(each), 0));
    expect(compactions).toBe(0);
  });

  it('keeps the prefix of its prompts until something leaves', async () => {
    const { agent, model } = processOn(await openStore(memoryBackend(), { clock }));
    await agent.invoke(start, scenarioRun);
    const texts = promptsOf(model).map(sayingOf);
    expect(prefixBreaks(texts)).toBeGreaterThan(0);
    expect(prefixBreaks(texts)).toBeLessThan(12);
  });

  it('goes on after its process died, with the prompts that it would have had', async () => {
    const straight = processOn(await openStore(memoryBackend(), { clock }));
    await straight.agent.invoke(start, scenarioRun);
    const folder = await mkdtemp(path.join(tmpdir(), 'ctx-langchain-'));
    removals.push(() => rm(folder, { recursive: true }));
    const open = () => openStore(sqliteBackend({ path: path.join(folder, 'ctx.db') }), { clock });
    const before = await open();
    const first = processOn(before, { toStep: 30 });
    await expect(first.agent.invoke(start, scenarioRun)).rejects.toThrow();
    await before.close();
    const after = await open();
    const second = processOn(after, { fromStep: 31 });
    const { messages } = await second.agent.invoke(null, scenarioRun);
    expect(messages.at(-1)?.text).toBe('all done');
    const prompts = [...promptsOf(first.model).slice(0, 30), ...promptsOf(second.model)];
    checkPrompts(prompts);
    await checkOutputs(second);
    expect(prompts.map(sayingOf)).toEqual(promptsOf(straight.model).map(sayingOf));
    await after.close();
  });

  it('goes back to an earlier moment of its thread, and its prompt is what it was', async () => {
    const place = createMemoryPlace();
    const store = await openStore(memoryBackend({ place }), { clock });
    const run = processOn(store, { toStep: 24 });
    await expect(run.agent.invoke(start, scenarioRun)).rejects.toThrow();
    const step = 12;
    let config: typeof scenarioRun | undefined;
    for await (const { checkpoint, config: found } of run.checkpointer.list(scenarioRun)) {
      const messages = checkpoint.channel_values['messages'];
      const answers = Array.isArray(messages)
        ? messages.filter((message) => AIMessage.isInstance(message))
        : [];
      const isBeforeModel = Array.isArray(messages) && !AIMessage.isInstance(messages.at(-1));
      if (answers.length === step && isBeforeModel)
        config = { ...scenarioRun, configurable: { thread_id: 't', ...found.configurable } };
    }
    const again = processOn(store, { fromStep: step + 1, toStep: step + 1 });
    if (config === undefined) throw new Error('no such moment');
    await expect(again.agent.invoke(null, config)).rejects.toThrow();
    expect(sayingOf(promptsOf(again.model)[0] ?? [])).toEqual(
      sayingOf(promptsOf(run.model)[step] ?? []),
    );
  });

  it('compacts where stand-ins do not suffice, and the state keeps all or is compacted, as asked for', async () => {
    const [keeping, compacted] = await Promise.all(
      [false, true].map(async (persists) => {
        const ids = idsOfOneSize();
        const store = await openStore(memoryBackend(), { clock, ids });
        const says = (step: number) => `In step ${String(step)} I thought: ${'hard '.repeat(600)}`;
        const run = processOn(store, { persists, says, ids });
        let compactions = 0;
        run.manager.on('compacted', () => {
          compactions += 1;
        });
        const { messages } = await run.agent.invoke(start, scenarioRun);
        expect(messages.at(-1)?.text).toBe('all done');
        expect(compactions).toBeGreaterThan(0);
        checkPrompts(promptsOf(run.model));
        await checkOutputs(run);
        return { messages, prompts: promptsOf(run.model).map(sayingOf) };
      }),
    );
    expect(keeping?.messages).toHaveLength(scenarioSteps + 72 + 2);
    expect(compacted?.messages.length).toBeLessThan(110);
    expect(compacted?.prompts).toEqual(keeping?.prompts);
  });
});
