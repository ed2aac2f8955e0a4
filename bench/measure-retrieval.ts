import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Judgement, judge, mean } from './retrieval/judge.ts';
import { loadDocuments } from './retrieval/load-documents.ts';
import { loadSession } from './retrieval/load-session.ts';
import { type LatencyReport, measureLatency } from './retrieval/measure-latency.ts';
import { ctxIndex, ctxOverFts5, type RankerMaker, rivalRanker } from './retrieval/rank-with.ts';
import type { RetrievalSet } from './retrieval/retrieval-set.ts';
import { fts5 } from './rivals/fts5.ts';
import { lunr } from './rivals/lunr.ts';
import { minisearch, minisearchTuned } from './rivals/minisearch.ts';
import { newestFirst } from './rivals/newest-first.ts';
import { plainBm25 } from './rivals/plain-bm25.ts';
import { seedRule } from './rivals/seed-rule.ts';

const rivals = [seedRule, newestFirst, plainBm25, fts5, minisearch, minisearchTuned, lunr];
const makers: readonly RankerMaker[] = [...rivals.map(rivalRanker), ctxOverFts5, ctxIndex];

/** What each column must reach for ctx to be called good. */
const goals: Readonly<Record<string, number>> = {
  'session-reuse': 0.72,
  '· reads only': 0.72,
  '· per file': 0.8,
  'tau2-banking': 0.42,
  'metatool single': 0.63,
  'metatool multi': 0.63,
  'mtrag-un': 0.89,
};

/** nDCG@10 by column. */
interface Row {
  readonly name: string;
  readonly scores: Readonly<Record<string, number>>;
}

interface RetrievalReport {
  readonly rows: readonly Row[];
  readonly goals: typeof goals;
  readonly queries: Readonly<Record<string, number>>;
  readonly latency: LatencyReport | undefined;
}

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: sharedData() },
    json: { type: 'boolean', default: false },
    outputs: { type: 'string', default: '100000' },
  },
});

/** `../shared/data` beside the repository, whether this runs from source or from dist. */
function sharedData(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'pnpm-workspace.yaml')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return resolve(folder, '../shared/data');
}

function loadSets(dataFolder: string): Map<string, readonly RetrievalSet[]> {
  const sessions = readdirSync(join(dataFolder, 'retrieval', 'session-reuse'))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => loadSession(dataFolder, file.slice(0, -'.json'.length)));
  const documents = (...names: readonly string[]): RetrievalSet[] =>
    names.map((name) => loadDocuments(dataFolder, name));
  return new Map<string, readonly RetrievalSet[]>([
    ['session-reuse', sessions],
    ['tau2-banking', documents('tau2-banking/banking_knowledge')],
    ['metatool single', documents('metatool/single-tool')],
    ['metatool multi', documents('metatool/multi-tool')],
    ['mtrag-un', documents('mtrag-un/clapnq', 'mtrag-un/ibmcloud')],
  ]);
}

function rowOf(maker: RankerMaker, sets: ReadonlyMap<string, readonly RetrievalSet[]>): Row {
  const scores: Record<string, number> = {};
  for (const [name, ofName] of sets) {
    const judgement = judge(maker, ofName);
    scores[name] = mean(judgement.all);
    if (name === 'session-reuse') Object.assign(scores, sessionViews(judgement));
  }
  return { name: maker.name, scores };
}

function sessionViews({ readsOnly, perFile }: Judgement): Record<string, number> {
  return { '· reads only': mean(readsOnly), '· per file': mean(perFile) };
}

function print({ rows, queries }: RetrievalReport): void {
  const columns = Object.keys(goals);
  const line = (name: string, cells: readonly string[]): string =>
    [
      name.padEnd(17),
      ...cells.map((cell, index) => cell.padStart(columns[index]?.length ?? 0)),
    ].join('  ');
  console.log(`nDCG@10 over ${JSON.stringify(queries)} queries`);
  console.log(line('', columns));
  for (const { name, scores } of rows) {
    console.log(
      line(
        name,
        columns.map((column) => (scores[column] ?? 0).toFixed(3)),
      ),
    );
  }
  console.log(
    line(
      'goal',
      columns.map((column) => (goals[column] ?? 0).toFixed(2)),
    ),
  );
  const best = Math.max(
    ...rows.slice(0, rivals.length).map(({ scores }) => scores['session-reuse'] ?? 0),
  );
  const ours = rows.at(-1)?.scores['session-reuse'] ?? 0;
  console.log(
    `session-reuse: ctx is ${(ours - best).toFixed(3)} above the best rival (goal: at least 0.2)`,
  );
}

function printLatency({ outputs, indexSeconds, memoryMegabytes, queries }: LatencyReport): void {
  console.log(
    `\n${outputs} outputs of 500 words: indexed in ${indexSeconds.toFixed(1)} s, ${memoryMegabytes.toFixed(0)} MB`,
  );
  for (const { name, p50, p95 } of queries) {
    console.log(`${name.padEnd(28)} p50 ${p50.toFixed(2)} ms  p95 ${p95.toFixed(2)} ms`);
  }
}

function main(): void {
  const hasData = existsSync(join(flags.data, 'retrieval', 'session-reuse'));
  if (!hasData)
    console.error(
      `skipped the retrieval sets: none at ${flags.data} (name their folder with --data)`,
    );
  const sets = hasData ? loadSets(flags.data) : new Map<string, readonly RetrievalSet[]>();
  const rows = sets.size === 0 ? [] : makers.map((maker) => rowOf(maker, sets));
  const queries = Object.fromEntries(
    [...sets].map(([name, ofName]) => [
      name,
      ofName.reduce((sum, set) => sum + set.queries.length, 0),
    ]),
  );
  const outputs = Number(flags.outputs);
  const latency = outputs > 0 ? measureLatency(outputs) : undefined;
  const report: RetrievalReport = { rows, goals, queries, latency };
  if (flags.json) console.log(JSON.stringify(report, undefined, 2));
  else if (rows.length > 0) print(report);
  if (!flags.json && latency !== undefined) printLatency(latency);
}

main();
