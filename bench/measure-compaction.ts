/**
 * Summaries without a model at the places where agents really compacted, beside the summaries that their models wrote and beside plain
 * ways to shorten a text. Run: `npm run bench -- compaction [--data FOLDER] [--json]`. Takes about two minutes.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { extractSummary } from '@ctx/compactor';
import type { TokenCounter } from '@ctx/core';
import { openTokenCounter } from '@ctx/tokens';
import { approximateTokens } from '@ctx/tokens/approximate';
import { type Boundary, loadBoundaries, loadCuts } from './compaction/boundaries.ts';
import {
  contenders,
  oursInParts,
  recorded,
  withAnnex,
  withoutRecording,
} from './compaction/contenders.ts';
import { type FactReport, measureFacts } from './compaction/measure-facts.ts';
import { createJudge } from './compaction/measures.ts';
import { type Case, judgeAll, line, percent, printRows, type Row } from './compaction/tables.ts';
import { textOfHistory } from './compaction/text-of-history.ts';

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: sharedData() },
    json: { type: 'boolean', default: false },
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

/** Milliseconds by the clock, and of the processor: on a busy machine the second is the work. */
interface Duration {
  readonly wallMs: number;
  readonly cpuMs: number;
}

interface Timing {
  readonly characters: number;
  readonly cold: Duration;
  readonly warm: Duration;
}

interface Report {
  readonly boundaries: readonly string[];
  readonly cuts: readonly string[];
  readonly unseenCuts: readonly string[];
  readonly timing: Timing;
  readonly ownSize: readonly Row[];
  readonly large: readonly Row[];
  readonly annex: readonly Row[];
  readonly chained: readonly Row[];
  readonly notCode: readonly Row[];
  /** Sessions about code that no agent compacted. */
  readonly unseen: readonly Row[];
  readonly facts: FactReport;
}

/** The first summary of this process, before any code is warm. */
function timeCold(boundaries: readonly Boundary[]): Timing {
  const sized = boundaries.map(({ history }) => ({
    history,
    characters: textOfHistory(history).length,
  }));
  const largest = sized.reduce((best, one) => (one.characters > best.characters ? one : best));
  const run = (): Duration => {
    const start = performance.now();
    const before = process.cpuUsage();
    extractSummary(largest.history, {
      ...{ maxTokens: 8000, countTokens: approximateTokens, mark: 'measuredmark' },
    });
    const { user, system } = process.cpuUsage(before);
    return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
  };
  const cold = run();
  run();
  return { characters: largest.characters, cold, warm: run() };
}

const largeTokens = 8000;

async function measure(folder: string): Promise<Report> {
  const boundaries = loadBoundaries(folder);
  const timing = timeCold(boundaries);
  const countTokens = openTokenCounter();
  const cases = boundaries.map((boundary): Case => ({ boundary, judge: createJudge(boundary) }));
  const cuts = loadCuts(folder, ['tau-bench', 'toolbench', 'intercode']);
  const unseen = unseenCuts(folder, boundaries, countTokens);
  const unseenCases = unseen.map((boundary): Case => ({ boundary, judge: createJudge(boundary) }));
  const others = cuts.map((boundary): Case => ({ boundary, judge: createJudge(boundary) }));
  const own = ({ summary }: Boundary): number => countTokens(summary);
  const all = (maxTokens: (boundary: Boundary) => number) => ({ countTokens, maxTokens });
  return {
    boundaries: boundaries.map(({ name }) => name),
    cuts: cuts.map(({ name }) => name),
    unseenCuts: unseen.map(({ name }) => name),
    timing,
    ownSize: judgeAll(cases, contenders, all(own)),
    large: judgeAll(
      cases,
      contenders,
      all(() => largeTokens),
    ),
    annex: judgeAll(cases, [recorded, withAnnex(1000)], all(own)),
    chained: judgeAll(
      cases,
      [oursInParts(1), oursInParts(5)],
      all(() => largeTokens),
    ),
    notCode: judgeAll(
      others,
      withoutRecording,
      all((boundary) => tenth(boundary, countTokens)),
    ),
    unseen: judgeAll(
      unseenCases,
      withoutRecording,
      all(() => largeTokens),
    ),
    facts: await measureFacts(boundaries, countTokens),
  };
}

/** From so many tokens on a session is long enough to be compacted to 8,000. */
const leastUnseenTokens = 25_000;

function unseenCuts(
  folder: string,
  boundaries: readonly Boundary[],
  countTokens: TokenCounter,
): Boundary[] {
  const known = new Set(boundaries.map(({ name }) => name.split('/')[0]));
  const sets = ['entire-cli', 'pi-mono', 'swe-agent', 'openhands', 'inspect', 'mini-swe-agent'];
  return loadCuts(folder, sets).filter(
    ({ name, history }) =>
      !known.has(name) && countTokens(textOfHistory(history)) >= leastUnseenTokens,
  );
}

function tenth({ history }: Boundary, countTokens: TokenCounter): number {
  return Math.max(500, Math.floor(countTokens(textOfHistory(history)) / 10));
}

function print(report: Report): void {
  const { boundaries, cuts, timing, facts } = report;
  console.log(`per cent, means over ${boundaries.length} recorded compactions`);
  printRows('at the recorded summary’s own size', report.ownSize, { idf: 0.61, pairs: 0.3 });
  const [theirs, ours, lines] = [report.ownSize[0], report.ownSize.at(-2), report.ownSize.at(-1)];
  for (const [name, row] of [
    ['idf', ours],
    ['pairs', ours],
    ['pairs', lines],
  ] as const) {
    const wins = row?.each.filter(
      (one, index) => !(one[name] <= (theirs?.each[index]?.[name] ?? 0)),
    );
    console.log(
      `${name} of ${row?.name ?? ''}: above the recorded summary on ${wins?.length ?? 0} of ${boundaries.length}`,
    );
  }
  const goals = { idf: 0.92, pairs: 0.73, reach: 0.99, gain: 0.57 };
  printRows(`at ${largeTokens} tokens`, report.large, goals);
  printRows('as an annex', report.annex, { idf: 0.64, pairs: 0.38 });
  printRows(`compacted part by part, ${largeTokens} tokens`, report.chained);
  printRows(
    `${cuts.length} sessions not about code, cut in their middle, a tenth of their size`,
    report.notCode,
  );
  printRows(
    `${report.unseenCuts.length} sessions about code, cut in their middle, ${largeTokens} tokens; three weights were chosen on other cuts of them`,
    report.unseen,
    goals,
  );
  printFacts(facts);
  const { characters, cold, warm } = timing;
  console.log(
    `\n${characters} characters: cold ${show(cold)}, warm ${show(warm)} (goal: 500 ms cold)`,
  );
}

function show({ wallMs, cpuMs }: Duration): string {
  return `${wallMs.toFixed(0)} ms (processor ${cpuMs.toFixed(0)} ms)`;
}

function printFacts({ facts, historyTokens, rows, even }: FactReport): void {
  const sizes = `${Math.min(...historyTokens)} to ${Math.max(...historyTokens)}`;
  printFactRows(
    `${facts} facts in ${historyTokens.length} histories of ${sizes} tokens, at 8000`,
    rows,
  );
  printFactRows(`${facts} facts at even distances in an even history of 100000 tokens`, even);
  const rival = even[0];
  const passed = Math.round((rival?.all ?? 0) * facts);
  console.log(`${rival?.name ?? ''}: ${passed} of ${facts} reach the summariser`);
}

function printFactRows(title: string, rows: FactReport['rows']): void {
  console.log(`\n${title}`);
  console.log(line('', ['all', 'user', 'assist.', 'tool']));
  for (const { name, all, user, assistant, tool } of rows) {
    console.log(line(name, [all, user, assistant, tool].map(percent)));
  }
  console.log(line('goal', ['85.0', '100.0', '', '']));
}

if (existsSync(join(flags.data, 'transcripts'))) {
  const report = await measure(flags.data);
  if (flags.json) console.log(JSON.stringify(report, undefined, 2));
  else print(report);
} else {
  console.error(`skipped: no recorded sessions at ${flags.data} (name their folder with --data)`);
}
