import { bytesText, countedText, countsText, countText } from '@ctx/core/encoding';
import { relative } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import type { ImportAnswer, ImportEntry } from '../schemas/session.ts';

const columns = [
  { title: 'status' },
  { title: 'session', isWhole: true },
  { title: 'messages', align: 'right' },
  { title: 'outputs', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'format' },
  { title: 'file', isFlexible: true },
] as const;

function sumOf(
  files: readonly ImportEntry[],
  pick: (entry: ImportEntry) => Readonly<Record<string, number>>,
): Record<string, number> {
  const sum = new Map<string, number>();
  for (const file of files) {
    for (const [name, count] of Object.entries(pick(file)))
      sum.set(name, (sum.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sum);
}

/** What is counted as written. */
const isWritten = new Set<ImportEntry['status']>(['imported', 'continued', 'replaced']);

function receiptText({ files, redact, store }: ImportAnswer): string {
  const written = files.filter(({ status }) => isWritten.has(status));
  const total = (name: 'messages' | 'outputs' | 'outputBytes'): number =>
    written.reduce((sum, entry) => sum + entry[name], 0);
  const count = (status: ImportEntry['status']): string =>
    countText(files.filter((entry) => entry.status === status).length);
  const found = redact === 'report' ? 'secrets found (left in)' : 'secrets redacted';
  return [
    `${countedText(written.length, 'session')} written to ${store}: ${countedText(total('messages'), 'message')}, ${countedText(total('outputs'), 'tool output')} (${bytesText(total('outputBytes'))})`,
    `unchanged ${count('unchanged')} · skipped ${count('skipped')} · failed ${count('failed')}`,
    `repaired: ${countsText(sumOf(files, ({ repaired }) => repaired))} · unreadable records: ${countsText(sumOf(files, ({ unreadable }) => unreadable))}`,
    redact === 'off'
      ? 'redaction is off'
      : `${found}: ${countsText(sumOf(files, ({ redacted }) => redacted))}`,
  ].join('\n');
}

/** Most skipped files that are named without being asked for. */
const namedSkips = 10;

/** The files that were skipped, and why: the first of them, or all. */
function skippedLines({ host }: CommandContext, answer: ImportAnswer, isAll: boolean): string[] {
  const skipped = answer.files.filter(({ status }) => status === 'skipped');
  const named = isAll ? skipped : skipped.slice(0, namedSkips);
  const lines = named.map(
    ({ file, reason = '' }) => `skipped: ${relative(host.cwd, file)}: ${reason}`,
  );
  const rest = skipped.length - named.length;
  return rest === 0 ? lines : [...lines, `and ${countText(rest)} more: --verbose names them all`];
}

/** The files that failed, why, and each piece of advice once. */
function failedLines({ host }: CommandContext, { files }: ImportAnswer): string[] {
  const failed = files.filter(({ status }) => status === 'failed');
  const lines = failed.map(
    ({ file, reason = '', code = '' }) =>
      `failed: ${relative(host.cwd, file)}: ${reason} (${code})`,
  );
  const advice = failed.flatMap((entry) => (entry.advice === undefined ? [] : [entry.advice]));
  return [...lines, ...[...new Set(advice)].map((text) => `  → ${text}`)];
}

/** What was dealt with or set aside in each file that was written. */
function oddityLines({ host }: CommandContext, answer: ImportAnswer, isAll: boolean): string[] {
  const odd = answer.files.filter(
    ({ status, repaired, unreadable }) =>
      isWritten.has(status) && Object.keys({ ...repaired, ...unreadable }).length > 0,
  );
  if (answer.files.length < 2) return [];
  const named = isAll ? odd : odd.slice(0, namedSkips);
  const lines = named.map(
    ({ file, repaired, unreadable }) =>
      `${relative(host.cwd, file)}: repaired: ${countsText(repaired)} · unreadable records: ${countsText(unreadable)}`,
  );
  const rest = odd.length - named.length;
  return rest === 0 ? lines : [...lines, `and ${countText(rest)} more: --verbose names them all`];
}

/** Prints what became of the files: a table, and a receipt on standard error. */
export async function printAnswer(
  context: CommandContext,
  answer: ImportAnswer,
  isVerbose: boolean,
): Promise<void> {
  const shown = answer.files.filter(({ status }) => status !== 'skipped');
  const rows = shown.map(
    ({ status, session = '–', messages, outputs, outputTokens, format = '–', file }) => [
      status,
      session,
      countText(messages),
      countText(outputs),
      countText(outputTokens),
      format,
      relative(context.host.cwd, file),
    ],
  );
  if (rows.length > 0) await context.table(columns, rows);
  for (const line of failedLines(context, answer)) await context.say(line);
  for (const line of skippedLines(context, answer, isVerbose)) await context.say(line);
  for (const line of oddityLines(context, answer, isVerbose)) await context.say(line);
  await context.say(receiptText(answer));
}
