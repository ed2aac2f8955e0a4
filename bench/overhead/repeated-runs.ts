import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Run, StepCosts } from './steps.ts';

/** What is run again and again. */
export interface RunKind {
  readonly host: string;
  readonly store: string;
  readonly steps: number;
  readonly windowTokens: number;
}

/**
 * Runs in a process of its own.
 * @throws a plain Error where it fails.
 */
export function runOnce({ host, store, steps, windowTokens }: RunKind): Run {
  const program = fileURLToPath(new URL('./run-child.js', import.meta.url));
  const args = [program, host, store, String(steps), String(windowTokens)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${host} on ${store} failed: ${stderr}`);
  // Written by a program of ours.
  return JSON.parse(stdout) as Run;
}

/** Values of several runs. */
export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

function spreadOf(values: readonly number[]): Spread {
  const inOrder = values.toSorted((a, b) => a - b);
  const at = (share: number): number => inOrder[Math.floor(share * (inOrder.length - 1))] ?? 0;
  return { least: at(0), median: at(0.5), most: at(1) };
}

type Cost = Exclude<keyof StepCosts, 'from' | 'to'>;

/** The range of a run that begins at a step, or the last where it ends before. */
function rangeAt({ ranges }: Run, step: number): StepCosts | undefined {
  return ranges.find(({ from }) => from === step) ?? ranges.at(-1);
}

/** Medians over the runs of what the steps behind one cost. */
export function costsAt(runs: readonly Run[], step: number): StepCosts | undefined {
  const ranges = runs.flatMap((run) => rangeAt(run, step) ?? []);
  const [first] = ranges;
  if (first === undefined) return undefined;
  const median = (cost: Cost): number => spreadOf(ranges.map((range) => range[cost])).median;
  return {
    ...first,
    p50Ms: median('p50Ms'),
    p95Ms: median('p95Ms'),
    meanMs: median('meanMs'),
    p50CpuMs: median('p50CpuMs'),
    meanCpuMs: median('meanCpuMs'),
  };
}

/** How much more a step costs at the end of each run than one of the agent beside it, which begins. */
export function growthOf(runs: readonly Run[], cost: Cost): Spread {
  return spreadOf(
    runs.map(({ ranges, beside }) => (ranges.at(-1)?.[cost] ?? beside[cost]) / beside[cost]),
  );
}
