import { basename } from 'node:path';
import { automaticCompaction } from '@ctx/agent-adapter';
import { createRedactor } from '@ctx/redact';
import { loadSessions, type ReplayPolicy, replayPolicies, replaySession } from '@ctx/replay';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { tokenCounterFor } from '@ctx/tokens';
import type { CachePrice } from '@ctx/truncation';
import { ageRule } from './age-rule.ts';
import type { DataSet, SessionTimes } from './data-sets.ts';
import { type Bound, createBoundFinder } from './find-bound.ts';
import { createMissFinder, type Miss } from './find-misses.ts';
import { realRecipes } from './real-recipe.ts';
import type { ReplayedRequest, ReplaySession } from './session-parts.ts';

/** One policy on one set, sums over its sessions. */
export interface PolicyRow {
  readonly policy: string;
  readonly ute: number;
  readonly inputUte: number;
  readonly edits: number;
  readonly editsInView: number;
  readonly rereadTokens: number;
  readonly rereadInView: number;
  readonly names: number;
  readonly namesInView: number;
  readonly invalid: number;
  readonly overWindow: number;
  readonly outputs: number;
  readonly recoverable: number;
}

/** What was found on one set. */
export interface SetReport {
  readonly name: string;
  readonly sessions: number;
  readonly requests: number;
  readonly rows: readonly PolicyRow[];
  /** The edits without their evidence, of the policies for which they are asked for. */
  readonly misses: readonly Miss[];
  /** What no rule can beat, if it was asked for. */
  readonly bound?: Bound;
}

/** How a set is measured. */
export interface MeasureOptions {
  readonly price: CachePrice;
  readonly windowTokens: number;
  /** Every so many files. */
  readonly every: number;
  /** Names of policies; all if empty. */
  readonly policies: readonly string[];
  /** Policies whose misses are listed. */
  readonly misses: readonly string[];
  /** Whether the bound is looked for in the requests of `ctx`. Default: no. */
  readonly isBounded?: boolean;
  /** Measured beside those that are named. Default: none. */
  readonly others?: readonly ReplayPolicy[];
  readonly times: SessionTimes;
  readonly onProgress: (line: string) => void;
}

const compared = ['none', 'ctx', 'ctx-thrifty', 'ctx-evidence'];

function policiesNamed(names: readonly string[]): readonly ReplayPolicy[] {
  const own = replayPolicies.filter(({ name }) => compared.includes(name));
  const all = [...own, ...realRecipes, ageRule];
  return all.filter(({ name }) => names.length === 0 || name === 'none' || names.includes(name));
}

function rowOf({
  policy,
  cost,
  ...report
}: Awaited<ReturnType<typeof replaySession>>['policies'][number]): PolicyRow {
  const { evidence, reread, names, invalid, overWindow, outputs } = report;
  return {
    policy,
    ute: cost.ute,
    inputUte: cost.inputUte,
    edits: evidence.edits,
    editsInView: evidence.inView,
    rereadTokens: reread.tokens,
    rereadInView: reread.inView,
    names: names.used,
    namesInView: names.inView,
    invalid,
    overWindow,
    outputs: outputs.total,
    recoverable: outputs.recoverable,
  };
}

const counted = [
  'ute',
  'inputUte',
  'edits',
  'editsInView',
  'rereadTokens',
  'rereadInView',
  'names',
  'namesInView',
  'invalid',
  'overWindow',
  'outputs',
  'recoverable',
] as const;

function addRows(sums: Map<string, PolicyRow>, rows: readonly PolicyRow[]): void {
  for (const row of rows) {
    const before = sums.get(row.policy);
    const sum = { ...row };
    for (const name of counted) sum[name] += before?.[name] ?? 0;
    sums.set(row.policy, sum);
  }
}

/** Watches the requests of the policies for which that is asked. */
function createFinders(session: ReplaySession, { misses, price, isBounded }: MeasureOptions) {
  const { lifetimeMs } = price;
  const missing = misses.map((policy) => createMissFinder({ session, policy, lifetimeMs }));
  const bounded = isBounded === true ? createBoundFinder({ session, price }) : undefined;
  return {
    take: (request: ReplayedRequest & { readonly policy: string }) => {
      for (const [at, policy] of misses.entries())
        if (policy === request.policy) missing[at]?.take(request);
      if (request.policy === 'ctx') bounded?.take(request);
    },
    misses: () => missing.flatMap((finder) => finder.misses),
    bound: () => bounded?.bound(),
  };
}

function sumOf(bounds: readonly Bound[]): { readonly bound?: Bound } {
  if (bounds.length === 0) return {};
  const withoutResults = bounds.reduce((sum, bound) => sum + bound.withoutResults, 0);
  return { bound: { withoutResults, edits: bounds.flatMap(({ edits }) => edits) } };
}

/** Replays the sessions of a set, one after the other. What is no session of an agent counts for nothing. */
export async function measureSet(set: DataSet, options: MeasureOptions): Promise<SetReport> {
  const { price, windowTokens, every } = options;
  const sums = new Map<string, PolicyRow>();
  let [sessions, requests] = [0, 0];
  const policies = [...policiesNamed(options.policies), ...(options.others ?? [])];
  const misses: Miss[] = [];
  const bounds: Bound[] = [];
  for (const file of set.files.filter((_, index) => index % every === 0)) {
    for (const { session } of await loadSessions(file, options.times)) {
      const store = await openStore(memoryBackend(), { redactor: createRedactor({ mode: 'off' }) });
      const finders = createFinders(session, options);
      const report = await replaySession(session, {
        onRequest: finders.take,
        ...{ store, policies, price, windowTokens },
        countTokens: tokenCounterFor(),
        compactWindow: automaticCompaction,
      });
      await store.close();
      misses.push(...finders.misses());
      bounds.push(...[finders.bound() ?? []].flat());
      sessions += 1;
      requests += report.requests;
      addRows(sums, report.policies.map(rowOf));
      options.onProgress(`${set.name} ${basename(file)}: ${String(report.requests)} requests`);
    }
  }
  const rows = [...sums.values()];
  return { name: set.name, sessions, requests, rows, misses, ...sumOf(bounds) };
}
