import { dirname, join, resolve } from 'node:path';
import { automaticCompaction } from '@ctx/agent-adapter';
import { parseStoreUrl, type StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import { countedText } from '@ctx/core/encoding';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import { defaultReplayPolicies, type ReplayPolicy, replayFiles, replayPolicies } from '@ctx/replay';
import { findFiles } from '@ctx/transcripts/import';
import { cachePrices } from '@ctx/truncation';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { followUp } from '../../follow-up.ts';
import { makeCommand, oneOf, redactMode, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { priceNamed } from '../../replay/price-named.ts';
import { readTimes } from '../../replay/read-times.ts';
import { replayText } from '../../replay/render-replay.ts';
import { checkReportPath, writeReport } from '../../replay/write-report.ts';
import { replayAnswerSchema } from '../../schemas/measure.ts';
import { backendOf } from '../../store/open-store-url.ts';
import { startProgress } from '../../terminal/progress.ts';
import { demoPath } from '../../up/demo-session.ts';

/** What a replay was told. */
interface ReplayFlags extends StoreFlags {
  readonly demo?: boolean;
  readonly window: number;
  /** Default: the usual ones; all for a report. */
  readonly policy?: readonly ReplayPolicy[];
  readonly price: string;
  /** Default: `price`. */
  readonly plannedFor?: string;
  readonly times?: string;
  /** False: requests are evenly spaced. */
  readonly gaps: boolean;
  readonly redact: RedactionMode;
  readonly requestsOut?: string;
  readonly html?: string;
  /** Every measure, not only the first. */
  readonly wide?: boolean;
}

function parsePolicies(text: string): ReplayPolicy[] {
  const names = replayPolicies.map(({ name }) => name);
  const wanted = [...new Set(text.split(',').map((name) => oneOf(names)(name.trim())))];
  return replayPolicies.filter(({ name }) => wanted.includes(name));
}

async function pathsOf(
  { host }: CommandContext,
  names: readonly string[],
  flags: ReplayFlags,
): ReturnType<typeof findFiles> {
  const found = await findFiles(names, host.cwd);
  if (flags.demo === true) found.unshift(...(await findFiles([demoPath], dirname(demoPath))));
  if (found.length > 0) return found;
  if (names.length === 0)
    throw new CtxError('CTX_USAGE', 'name transcripts to replay, or use --demo');
  throw new CtxError('CTX_USAGE', `no transcripts in ${names.join(', ')}`);
}

/** Where the outputs go: memory unless a store is named; the demo's stay, so that they can be looked at. */
async function replayStoreUrl(
  { host }: CommandContext,
  { store, demo }: Pick<ReplayFlags, 'store' | 'demo'>,
): Promise<StoreUrl> {
  const { home, data } = await host.folders();
  const fallback = demo === true ? `sqlite:${join(data, 'demo.db')}` : 'memory:';
  return parseStoreUrl(store ?? fallback, { cwd: host.cwd, home });
}

/** Returns the policies that the caller named; else all for a report, and the default ones for a table. */
function policiesOf({ policy, html }: ReplayFlags): readonly ReplayPolicy[] {
  return policy ?? (html === undefined ? defaultReplayPolicies : replayPolicies);
}

/** Replays, with a line of progress. */
async function replayPaths(
  context: CommandContext,
  { paths, url }: { readonly paths: Parameters<typeof replayFiles>[0]; readonly url: StoreUrl },
  flags: ReplayFlags,
) {
  const { host } = context;
  const { redact, window: windowTokens, plannedFor, requestsOut } = flags;
  const times = flags.times === undefined ? {} : await readTimes(resolve(host.cwd, flags.times));
  const progress = startProgress(context);
  try {
    return await replayFiles(paths, {
      ...{ windowTokens, redact, times, policies: policiesOf(flags) },
      price: priceNamed(flags.price),
      ...(plannedFor === undefined ? {} : { plannedPrice: priceNamed(plannedFor) }),
      ...(requestsOut === undefined ? {} : { requestsFolder: resolve(host.cwd, requestsOut) }),
      openBackend: () => backendOf(url),
      createRedactor: () => createRedactor({ mode: redact }),
      withoutGaps: !flags.gaps,
      compactWindow: automaticCompaction,
      signal: host.signal,
      onSkipped: (text) => {
        progress.clear();
        return context.say(text);
      },
      onProgress: (text) => {
        progress.show(text);
      },
    });
  } finally {
    progress.clear();
  }
}

async function sayStart(context: CommandContext, what: string, { redact }: ReplayFlags) {
  const redaction = redact === 'off' ? 'off, so that figures are those of the exact bytes' : redact;
  await context.say(`Replaying ${what} (redaction ${redaction}) …`);
}

async function runReplay(
  context: CommandContext,
  names: readonly string[],
  flags: ReplayFlags,
): Promise<void> {
  priceNamed(flags.price);
  if (flags.plannedFor !== undefined) priceNamed(flags.plannedFor);
  const paths = await pathsOf(context, names, flags);
  const { host } = context;
  const reportPath = flags.html === undefined ? undefined : resolve(host.cwd, flags.html);
  if (reportPath !== undefined) await checkReportPath(reportPath);
  const url = await replayStoreUrl(context, flags);
  const what = `${countedText(paths.length, 'file')} through ${url.text}`;
  if (flags.json !== true) await sayStart(context, what, flags);
  const summary = await replayPaths(context, { paths, url }, flags);
  const answer = { store: url.text, ...summary };
  if (flags.json === true) await context.json(replayAnswerSchema, answer);
  else await context.draw(replayText(context, answer, flags.wide === true));
  if (reportPath !== undefined) {
    await writeReport(reportPath, answer);
    await context.say(`The report is in ${reportPath}`);
  }
  if (url.scheme !== 'memory' && flags.json !== true) {
    const command = followUp(host, ['outputs', '--store', url.text]);
    await context.say(`The outputs stay in ${url.text}: ${command}`);
  }
}

/** Default window of a replay. */
const usualWindow = 200_000;
const usualPrice = 'anthropic-5m';

/** Replays the session that comes with ctx in memory, and prints its table. */
export async function replayDemo(context: CommandContext): Promise<void> {
  const usual = { window: usualWindow, price: usualPrice, gaps: true, redact: 'off' } as const;
  await runReplay(context, [], { ...usual, demo: true, store: 'memory:' });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'replay',
    summary: 'Replay recorded sessions under policies and compare cost, validity and evidence.',
    examples: [
      'ctx replay --demo',
      'ctx replay session.jsonl --policy none,offload --window 128000',
      'ctx replay sessions --html report.html --window 128000',
      'ctx replay sessions/*.json --times times.json --requests-out requests --json',
    ],
  })
    .argument('[transcripts...]', 'files, or folders with them')
    .option('--demo', 'replay the recorded session that comes with ctx')
    .option('--window <tokens>', "the model's window", wholeNumber(1000), usualWindow)
    .option(
      '--policy <names>',
      `separated by commas: ${replayPolicies.map(({ name }) => name).join(', ')} (default: ${defaultReplayPolicies.map(({ name }) => name).join(',')}; with --html all)`,
      parsePolicies,
    )
    .option(
      '--price <name>',
      `one of ${cachePrices.map(({ name }) => name).join(', ')}`,
      usualPrice,
    )
    .option(
      '--planned-for <name>',
      'prices that policies plan with, to price the same requests otherwise (default: those of --price)',
    )
    .option(
      '--times <file>',
      'JSON {session id: [seconds of each answer]} (default: of the transcript, else 20 s)',
    )
    .option(
      '--no-gaps',
      'send requests 20 s apart, whatever the recording says, to see what the cache does alone',
    )
    .option('--redact <mode>', 'secrets: on, report or off', redactMode, 'off')
    .option('--requests-out <folder>', 'write every request as JSONL: <session>.<policy>.jsonl')
    .option('--wide', 'show every measure, and how to read it')
    .option('--html <file>', 'write a page with charts, all measures and every session');
  const fallback = 'memory, kept nowhere; with --demo demo.db in the data folder';
  return withStoreFlag(command, fallback).action((names: string[], flags: ReplayFlags) =>
    runReplay(context, names, flags),
  );
}
