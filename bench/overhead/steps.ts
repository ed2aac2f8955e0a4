import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import type { ContextStore } from '@ctx/store';
import { type HostLoop, hostLoops } from './host-loops.ts';

/** What the steps cost that lie between two places of the run. */
export interface StepCosts {
  readonly from: number;
  readonly to: number;
  /** `recordToolOutput` and `prepare` of one step, ms by the clock. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly meanMs: number;
  /** The same in time of the processor, which a busy machine does not stretch, ms. */
  readonly p50CpuMs: number;
  readonly meanCpuMs: number;
}

/** A run of an agent. */
export interface Run {
  readonly ranges: readonly StepCosts[];
  /** Steps of another agent that begins, taken by turns with the last range: so both meet the same moods of the machine. */
  readonly beside: StepCosts;
  /** Tokens of the request, mean over the run. */
  readonly tokensInView: number;
  readonly flushes: number;
  readonly compactions: number;
}

const vocabulary = 'parse token window store flush line error build test cache'.split(' ');

/** What a tool returns: about 400 tokens of numbered lines, each of which says which step it is of: no text comes twice. */
function resultOf(step: number): string {
  const line = (index: number): string => {
    const words = vocabulary.map((word, at) => `${word}${String((step * 31 + index * at) % 97)}`);
    return `${String(index)}: step${String(step)} ${words.slice(1).join(' ')}`;
  };
  return Array.from({ length: 18 }, (_, index) => line(index)).join('\n');
}

interface Loop {
  readonly manager: ContextManager;
  readonly host: HostLoop;
  /** Tokens of the newest request. */
  tokens: number;
}

const system = 'You mend builds. '.repeat(200);

/** What the user pasted: it never leaves, so that with the results about 100,000 tokens are in view. */
const pasted = Array.from({ length: 182 }, (_, index) => resultOf(10_000 + index)).join('\n');

/** What one step took, ms. */
interface Took {
  readonly clock: number;
  readonly cpu: number;
}

async function timed<Value>(work: () => Promise<Value>): Promise<readonly [Value, Took]> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const value = await work();
  const clock = performance.now() - start;
  const { user, system: kernel } = process.cpuUsage(cpu);
  return [value, { clock, cpu: (user + kernel) / 1000 }];
}

/**
 * One step as a host takes it. Only what ctx does is timed. `besides`: what another host does at that moment, too: what hosts make for a
 * request leaves garbage, and takes the caches of the processor.
 */
async function takeStep(loop: Loop, step: number, besides: () => void): Promise<Took> {
  const { manager, host } = loop;
  const result = resultOf(step);
  const input = { command: `npm test part-${String(step)}` };
  const call = { id: `call-${String(step)}`, name: 'Bash', input };
  const [{ content }, recording] = await timed(() => manager.recordToolOutput(call, result));
  host.take({ ...call, content });
  besides();
  const [, preparing] = await timed(host.request());
  await manager.observe({ inputTokens: Math.round(loop.tokens), outputTokens: 60 });
  return { clock: recording.clock + preparing.clock, cpu: recording.cpu + preparing.cpu };
}

function sorted(times: readonly number[]): (share: number) => number {
  const inOrder = times.toSorted((a, b) => a - b);
  return (share) => inOrder[Math.floor(share * (inOrder.length - 1))] ?? 0;
}

function mean(times: readonly number[]): number {
  return times.reduce((total, each) => total + each, 0) / times.length;
}

function costsOf(from: number, took: readonly Took[]): StepCosts {
  const clocks = took.map(({ clock }) => clock);
  const cpus = took.map(({ cpu }) => cpu);
  return {
    from,
    to: from + took.length,
    p50Ms: sorted(clocks)(0.5),
    p95Ms: sorted(clocks)(0.95),
    meanMs: mean(clocks),
    p50CpuMs: sorted(cpus)(0.5),
    meanCpuMs: mean(cpus),
  };
}

/** Steps that are told of together. */
const rangeSteps = 100;

/** How far an agent goes, and through which host. */
export interface RunLength {
  readonly host: string;
  readonly steps: number;
  readonly windowTokens: number;
}

/** An agent on its way. */
interface Agent {
  /** Takes a step, beside something that another host does. */
  take(besides?: () => void): Promise<Took>;
  /** Does what its host does for a request, and throws that away. */
  readonly work: () => void;
  end(): Promise<Pick<Run, 'tokensInView' | 'flushes' | 'compactions'>>;
}

function createAgent(
  store: ContextStore,
  { host, windowTokens }: Pick<RunLength, 'host' | 'windowTokens'>,
): Agent {
  const model = { name: 'm', windowTokens, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 'overhead', model });
  const makeLoop = hostLoops[host];
  if (makeLoop === undefined) throw new TypeError(`there is no host ${host}`);
  const task = `Mend the build.\n${pasted}`;
  const loop: Loop = { manager, host: makeLoop(manager, { system, task }), tokens: 0 };
  const told = { flushes: 0, compactions: 0 };
  manager.on('flushed', () => (told.flushes += 1));
  manager.on('compacted', () => (told.compactions += 1));
  manager.on('prepared', (receipt) => (loop.tokens = receipt.tokens));
  let step = 0;
  let tokens = 0;
  return {
    work: () => void loop.host.request(),
    take: async (besides = () => undefined) => {
      const took = await takeStep(loop, step, besides);
      step += 1;
      tokens += loop.tokens;
      return took;
    },
    end: async () => {
      await manager.end();
      return { ...told, tokensInView: tokens / step };
    },
  };
}

async function takeSteps(agent: Agent, count: number): Promise<Took[]> {
  const took: Took[] = [];
  for (let step = 0; step < count; step += 1) took.push(await agent.take());
  return took;
}

/**
 * Lets an agent take steps, hundreds of them, in a window of which about 100,000 tokens are in view; the last hundred by turns with one
 * that begins, from its step 100 on. There the hosts of both do their part before each step of either: so what a host makes anew, which is
 * not of ctx, is the same for both.
 */
export async function runSteps(
  openStores: () => Promise<ContextStore>,
  length: RunLength,
): Promise<Run> {
  const [store, other] = [await openStores(), await openStores()];
  const agent = createAgent(store, length);
  const ranges: StepCosts[] = [];
  const last = length.steps - rangeSteps;
  for (let from = 0; from < last; from += rangeSteps) {
    ranges.push(costsOf(from, await takeSteps(agent, rangeSteps)));
  }
  const young = createAgent(other, length);
  await takeSteps(young, rangeSteps);
  const took: Took[] = [];
  const beside: Took[] = [];
  for (let step = 0; step < rangeSteps; step += 1) {
    took.push(await agent.take(young.work));
    beside.push(await young.take(agent.work));
  }
  ranges.push(costsOf(last, took));
  const done = await agent.end();
  await young.end();
  await store.close();
  await other.close();
  return { ranges, beside: costsOf(rangeSteps, beside), ...done };
}
