import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CtxError } from '@ctx/core';
import { countText, outputText } from '@ctx/core/encoding';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import type { ContextStore } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import { readPlain } from '@ctx/transcripts/import';
import { pointerUri, readBacks, shortenText } from '@ctx/truncation';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { shellWord } from '../../follow-up.ts';
import { ownCommand } from '../../hook/find-program.ts';
import { makeCommand, redactMode, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { type CompressAnswer, compressAnswerSchema } from '../../schemas/measure.ts';
import { checkDurable, withStore } from '../../store/open-store-url.ts';

interface CompressFlags {
  /** False with `--no-store`. */
  readonly store?: string | false;
  readonly json?: boolean;
  readonly budget: number;
  readonly words?: string;
  readonly redact: RedactionMode;
}

/** Most bytes that are read from standard input. */
const maxInputBytes = 256 * 1024 * 1024;

async function readText({ host }: CommandContext, name: string): Promise<string> {
  if (name !== '-') {
    const bytes = await buffer(readPlain(resolve(host.cwd, name)));
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      throw new CtxError('CTX_INVALID_FILE', `${name} is not UTF-8 text`, { cause });
    }
  }
  const input = await host.readInput(maxInputBytes);
  if (input === undefined)
    throw new CtxError('CTX_USAGE', 'nothing came on standard input; name a file, or pipe into it');
  if (input === 'too large')
    throw new CtxError('CTX_TOO_LARGE', `standard input has over ${String(maxInputBytes)} bytes`);
  return input.text;
}

/** A text to shorten, and what is known of it. */
interface Compressing {
  readonly context: CommandContext;
  readonly flags: CompressFlags;
  readonly name: string;
}

/** Where the whole of a text is kept. */
interface KeptText {
  readonly text: string;
  readonly uri: string;
  readonly read: string;
  readonly store: string;
}

const countTokens = tokenCounterFor();

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function isWordOf(words: string): (word: string) => boolean {
  const known = new Set(words.match(/[A-Za-z_$][A-Za-z0-9_$]{3,}/g) ?? []);
  return (word) => known.has(word);
}

/** The pointer that stands for the text. With `--no-store`, the input file itself is where the whole is. */
function shorten({ flags, name }: Compressing, text: string, kept?: KeptText) {
  const place = kept?.uri ?? (name === '-' ? undefined : name);
  const pointer = {
    tokens: countTokens(text),
    lines: linesOf(text),
    bytes: Buffer.byteLength(text),
    ...(place === undefined ? {} : { uri: place }),
  };
  const readHint: Parameters<typeof shortenText>[0]['readHint'] = (_uri, by) =>
    kept === undefined ? '' : readBacks.shellHint(kept.read, by);
  const words = flags.words === undefined ? {} : { isWorkWord: isWordOf(flags.words) };
  const limits = { previewTokens: flags.budget, countTokens };
  return { pointer, ...shortenText({ pointer, text, readHint, ...limits, ...words }) };
}

/** The session of a text: the same text, the same one; what was redacted and what was not are different texts. */
function sessionIdOf(text: string, redact: RedactionMode): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `compress-${hash}${redact === 'on' ? '' : `-${redact}`}`;
}

/** Stores a text unless it is stored already, so that equal texts have one address. */
async function keep(
  store: ContextStore,
  { name, sessionId, text }: { name: string; sessionId: string; text: string },
): Promise<{ readonly id: string; readonly text: string }> {
  const known = await store.outputs.pointers({ sessionId, limit: 1 });
  const args = name === '-' ? {} : { path: name };
  const input = { sessionId, toolName: 'compress', args, result: text };
  const pointer = known.entries[0] ?? (await store.outputs.save(input)).pointer;
  const stored = await store.outputs.load(pointer);
  return { id: pointer.id, text: stored === undefined ? text : outputText(stored.result) };
}

/** Does `work` with the place of the text, after it was stored. */
async function withKept<T>(
  { context, flags, name }: Compressing,
  text: string,
  work: (kept: KeptText) => T,
): Promise<T> {
  const { store: location, redact } = flags;
  const sessionId = sessionIdOf(text, redact);
  const redactor = createRedactor({ mode: redact });
  const use = { create: true, tokenCounter: countTokens, redactor, ids: () => sessionId.slice(9) };
  const named = typeof location === 'string' ? { store: location } : {};
  return withStore(context, { ...named, use }, async (store, url) => {
    checkDurable(store, 'the text');
    const stored = await keep(store, { name, sessionId, text });
    const uri = pointerUri(stored.id);
    const { command, args } = ownCommand(context.host);
    const read = [command, ...args, 'read', uri, '--store', url.text].map(shellWord).join(' ');
    return work({ text: stored.text, uri, read, store: url.text });
  });
}

function answerOf(
  { name }: Compressing,
  { pointer, kind, shortened }: ReturnType<typeof shorten>,
  { text, kept }: { readonly text: string; readonly kept?: KeptText },
): CompressAnswer {
  return {
    file: name,
    ...(kind === undefined ? {} : { kind }),
    isShortened: shortened !== undefined,
    tokensBefore: pointer.tokens,
    tokensAfter: shortened?.tokens ?? pointer.tokens,
    left: [...(shortened?.left ?? [])],
    text: shortened === undefined ? text : `${shortened.text}\n`,
    ...(kept === undefined ? {} : { output: kept.uri, read: kept.read, store: kept.store }),
  };
}

async function compress(compressing: Compressing): Promise<CompressAnswer> {
  const { context, flags, name } = compressing;
  const text = await readText(context, name);
  const first = shorten(compressing, text);
  if (first.shortened === undefined || flags.store === false) {
    return answerOf(compressing, first, { text });
  }
  return withKept(compressing, text, (kept) =>
    answerOf(compressing, shorten(compressing, kept.text, kept), { text, kept }),
  );
}

function receiptOf({ file, kind, isShortened, left, ...answer }: CompressAnswer): string {
  const { tokensBefore, tokensAfter, read } = answer;
  const called = file === '-' ? 'standard input' : file;
  if (!isShortened) {
    const why =
      kind === undefined
        ? 'it is short, of no kind that can be shortened, or was shortened before'
        : `a ${kind} that would not be 30 % and 500 tokens smaller`;
    return `${called}: ${countText(tokensBefore)} tokens, as it is: ${why}`;
  }
  const size = `${countText(tokensBefore)} → ${countText(tokensAfter)} tokens`;
  const what = left.length === 0 ? '' : `; left out: ${left.join('; ')}`;
  const whole = read === undefined ? 'nothing stored' : `the whole: ${read}`;
  return `${called} (${kind ?? 'text'}): ${size}${what}\n${whole}`;
}

async function runCompress(
  context: CommandContext,
  name: string,
  flags: CompressFlags,
): Promise<void> {
  context.host.endAtOnce();
  const answer = await compress({ context, flags, name });
  if (flags.json === true) return context.json(compressAnswerSchema, answer);
  await context.print(answer.text);
  await context.say(receiptOf(answer));
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'compress',
    summary:
      'Shorten one output by its kind: failures, errors, places and unusual rows stay, and a line says what was left out. The whole output is stored first. An output that would not shrink by 30 % and 500 tokens is printed unchanged.',
    examples: [
      'npm test 2>&1 | ctx compress -',
      'ctx compress build.log --words "payment timeout"',
      'ctx compress rows.json --budget 2000 --json',
    ],
  })
    .argument('<file>', 'a text file, or - for standard input')
    .option(
      '--budget <tokens>',
      'tokens to aim at, besides what must not be lost',
      wholeNumber(1),
      600,
    )
    .option(
      '--words <text>',
      'words of the task, of four letters or more: lines with them are shown first',
    )
    .option('--no-store', 'store nothing: the whole text stays only in its source')
    .option('--redact <mode>', 'secrets in what is stored: on, report or off', redactMode, 'on');
  return withStoreFlag(command).action((name: string, flags: CompressFlags) =>
    runCompress(context, name, flags),
  );
}
