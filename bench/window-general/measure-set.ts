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
import { createMissFinder, type Miss } from './find-misses.ts';
import { realRecipes } from './real-recipe.ts';

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

/** Replays the sessions of a set, one after the other. What is no session of an agent counts for nothing. */
export async function measureSet(set: DataSet, options: MeasureOptions): Promise<SetReport> {
  const { price, windowTokens, every } = options;
  const sums = new Map<string, PolicyRow>();
  let [sessions, requests] = [0, 0];
  const policies = [...policiesNamed(options.policies), ...(options.others ?? [])];
  const misses: Miss[] = [];
  for (const file of set.files.filter((_, index) => index % every === 0)) {
    for (const { session } of await loadSessions(file, options.times)) {
      const store = await openStore(memoryBackend(), { redactor: createRedactor({ mode: 'off' }) });
      const finders = options.misses.map((policy) => ({
        policy,
        finder: createMissFinder({ session, policy, lifetimeMs: price.lifetimeMs }),
      }));
      const report = await replaySession(session, {
        onRequest: (request) => {
          for (const { policy, finder } of finders)
            if (policy === request.policy) finder.take(request);
        },
        ...{ store, policies, price, windowTokens },
        countTokens: tokenCounterFor(),
        compactWindow: automaticCompaction,
      });
      await store.close();
      misses.push(...finders.flatMap(({ finder }) => finder.misses));
      sessions += 1;
      requests += report.requests;
      const rows = report.policies.map(rowOf);
      addRows(sums, rows);
      options.onProgress(`${set.name} ${basename(file)}: ${String(report.requests)} requests`);
    }
  }
  return { name: set.name, sessions, requests, rows: [...sums.values()], misses };
}
