import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import { type ReplayPolicy, firstPolicies, replayPolicies, sumRows } from '@ctx/replay';
import { findFiles } from '@ctx/transcripts/import';
import { cachePrices, pricesDate } from '@ctx/truncation/cost';
import type { Command } from 'commander';
import { type CommandContext, writeErr, writeJson, writeRendered } from '../../command-context.ts';
import { ownFile } from '../../config/own-file.ts';
import { followUp } from '../../follow-up.ts';
import { makeCommand, oneOf, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { checkReportPath, writeReport } from '../../replay/write-report.ts';
import { priceNamed } from '../../replay/price-named.ts';
import { readTimes } from '../../replay/read-times.ts';
import { replayText } from '../../replay/render-replay.ts';
import { type ReplayFlags, replayFiles } from '../../replay/replay-files.ts';
import { replayStoreUrl } from '../../replay/replay-store-url.ts';
import { tellLanesLeftOut } from '../../replay/tell-lanes-left-out.ts';
import { replayAnswerSchema } from '../../schemas/window/replay.ts';
import { startProgress } from '../../terminal/progress.ts';
import { countedText } from '../../terminal/render.ts';

/** The recorded session that comes with ctx. */
const demoPath = fileURLToPath(ownFile('demo/session.json'));

function parsePolicies(text: string): ReplayPolicy[] {
  const names = replayPolicies.map(({ name }) => name);
  const wanted = [...new Set(text.split(',').map((name) => oneOf(names)(name.trim())))];
  return replayPolicies.filter(({ name }) => wanted.includes(name));
}

async function pathsOf(
  { host }: CommandContext,
  names: readonly string[],
  flags: ReplayFlags,
): Promise<string[]> {
  const named = await findFiles(names, host.cwd);
  const paths = named.map(({ path }) => path);
  if (flags.demo === true) {
    const [demo] = await findFiles([demoPath], dirname(demoPath));
    paths.unshift(demo?.path ?? demoPath);
  }
  if (paths.length === 0 && names.length > 0) {
    throw new CtxError('CTX_USAGE', `no transcripts in ${names.join(', ')}`);
  }
  if (paths.length === 0) {
    throw new CtxError('CTX_USAGE', 'name transcripts to replay, or use --demo');
  }
  return paths;
}

async function runReplay(
  context: CommandContext,
  names: readonly string[],
  flags: ReplayFlags,
): Promise<void> {
  const price = priceNamed(flags.price);
  if (flags.plannedFor !== undefined) priceNamed(flags.plannedFor);
  const paths = await pathsOf(context, names, flags);
  const reportPath = flags.html === undefined ? undefined : resolve(context.host.cwd, flags.html);
  if (reportPath !== undefined) await checkReportPath(reportPath);
  const url = await replayStoreUrl(context, flags);
  const redaction =
    flags.redact === 'off' ? 'off, so that figures are those of the exact bytes' : flags.redact;
  await writeErr(
    context,
    `Replaying ${countedText(paths.length, 'transcript')} through ${url.text} (redaction ${redaction}) …`,
  );
  const times =
    flags.times === undefined ? {} : await readTimes(resolve(context.host.cwd, flags.times));
  const progress = startProgress(context);
  try {
    const sessions = await replayFiles({ context, flags, price, url, times, progress }, paths);
    progress.clear();
    await tellLanesLeftOut(context, sessions);
    const totals = sumRows(sessions.flatMap(({ policies }) => policies));
    const { redact, window } = flags;
    const answer = {
      store: url.text,
      redact,
      windowTokens: window,
      price: price.name,
      pricesDate,
      sessions,
      totals,
    };
    if (flags.json === true) await writeJson(context, replayAnswerSchema, answer);
    else await writeRendered(context, replayText(context, answer, flags.wide === true));
    if (reportPath !== undefined) {
      await writeReport(reportPath, answer);
      await writeErr(context, `The report is in ${reportPath}`);
    }
    if (url.scheme !== 'memory' && flags.json !== true) {
      const command = followUp(context.host, ['outputs', '--store', url.text]);
      await writeErr(context, `The outputs stay in ${url.text}: ${command}`);
    }
  } finally {
    progress.clear();
  }
}

/** The window that a replay has where nobody says. */
const usualWindow = 200_000;
const usualPrice = 'anthropic-5m';

/** Replays the session that comes with ctx in memory, prints its table, and returns where the store of the demo is. */
export async function replayDemo(context: CommandContext, store?: string): Promise<StoreUrl> {
  const named = store === undefined ? {} : { store };
  const usual = { window: usualWindow, price: usualPrice, gaps: true, redact: 'off' } as const;
  await runReplay(context, [], { ...usual, demo: true, store: 'memory:' });
  return replayStoreUrl(context, { demo: true, ...named });
}

/** `ctx replay` */
export function replayCommand(context: CommandContext): Command {
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
      `with commas, of ${replayPolicies.map(({ name }) => name).join(', ')} (default: ${firstPolicies.join(',')}; with --html all)`,
      parsePolicies,
    )
    .option(
      '--price <name>',
      `one of ${cachePrices.map(({ name }) => name).join(', ')}`,
      usualPrice,
    )
    .option(
      '--planned-for <name>',
      'prices that policies plan with, where requests are to be priced anew (default: those of --price)',
    )
    .option(
      '--times <file>',
      'JSON {session id: [seconds of each answer]} (default: of the transcript, else 20 s)',
    )
    .option(
      '--no-gaps',
      'send requests 20 s apart, whatever the recording says: what does the cache do alone?',
    )
    .option('--redact <mode>', 'secrets: on, report or off', oneOf(['on', 'report', 'off']), 'off')
    .option('--requests-out <folder>', 'write every request as JSONL: <session>.<policy>.jsonl')
    .option('--wide', 'show every measure, and how to read it')
    .option('--html <file>', 'write a page with charts, all measures and every session');
  const fallback = 'memory, kept nowhere; with --demo demo.db in the data folder';
  return withStoreFlag(command, fallback).action((names: string[], flags: ReplayFlags) =>
    runReplay(context, names, flags),
  );
}
