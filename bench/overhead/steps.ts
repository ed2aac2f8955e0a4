import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import type { ContextStore, Message } from '@ctx/core';

/** What the steps cost that lie between two places of the run. */
export interface StepCosts {
  readonly from: number;
  readonly to: number;
  /** `recordToolOutput` and `prepare` of one step, ms. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly meanMs: number;
  /** Time of the processor for one step, everything included, ms. */
  readonly cpuMs: number;
}

/** A run of an agent. */
export interface Run {
  readonly ranges: readonly StepCosts[];
  /** Tokens of the request, mean over the run. */
  readonly tokensInView: number;
  readonly flushes: number;
  readonly compactions: number;
}

const vocabulary = 'parse token window store flush line error build test cache'.split(' ');

/** What a tool returns: about 600 tokens of numbered lines, another text at each step. */
function resultOf(step: number): string {
  const line = (index: number): string => {
    const words = vocabulary.map((word, at) => `${word}${String((step * 31 + index * at) % 97)}`);
    return `${String(index)}: ${words.join(' ')}`;
  };
  return Array.from({ length: 18 }, (_, index) => line(index)).join('\n');
}

function stepMessages(step: number, content: string): readonly Message[] {
  const id = `call-${String(step)}`;
  const input = { command: `npm test part-${String(step)}` };
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: content }] }],
    },
  ];
}

interface Loop {
  readonly manager: ContextManager;
  readonly history: Message[];
  tokens: number;
}

const system = 'You mend builds. '.repeat(200);

/** One step as a host takes it. Only what ctx does is timed. */
async function takeStep(loop: Loop, step: number): Promise<number> {
  const { manager, history } = loop;
  const result = resultOf(step);
  const input = { command: `npm test part-${String(step)}` };
  const start = performance.now();
  const call = { id: `call-${String(step)}`, name: 'Bash', input };
  const { content } = await manager.recordToolOutput(call, result);
  const recorded = performance.now();
  history.push(...stepMessages(step, content));
  const begun = performance.now();
  const { receipt } = await manager.prepare(history, { system });
  const took = recorded - start + performance.now() - begun;
  loop.tokens = receipt.tokens;
  await manager.observe({ inputTokens: Math.round(receipt.tokens), outputTokens: 60 });
  return took;
}

function costsOf(from: number, took: readonly number[], cpuMicros: number): StepCosts {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const sum = took.reduce((total, each) => total + each, 0);
  return {
    from,
    to: from + took.length,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    meanMs: sum / took.length,
    cpuMs: cpuMicros / 1000 / took.length,
  };
}

/** Steps that are told of together. */
const rangeSteps = 100;

/** Lets an agent take steps in a window of which about 100,000 tokens are in view. */
export async function runSteps(
  store: ContextStore,
  steps: number,
  windowTokens: number,
): Promise<Run> {
  const model = { name: 'm', windowTokens, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 'overhead', model });
  let flushes = 0;
  let compactions = 0;
  manager.on('flushed', () => (flushes += 1));
  manager.on('compacted', () => (compactions += 1));
  const loop: Loop = {
    manager,
    history: [{ role: 'user', content: [{ type: 'text', text: 'Mend the build.' }] }],
    tokens: 0,
  };
  const ranges: StepCosts[] = [];
  let tokens = 0;
  for (let from = 0; from < steps; from += rangeSteps) {
    const cpu = process.cpuUsage();
    const took: number[] = [];
    for (let step = from; step < Math.min(steps, from + rangeSteps); step += 1) {
      took.push(await takeStep(loop, step));
      tokens += loop.tokens;
    }
    const { user, system: kernel } = process.cpuUsage(cpu);
    ranges.push(costsOf(from, took, user + kernel));
  }
  await manager.end();
  return { ranges, tokensInView: tokens / steps, flushes, compactions };
}
