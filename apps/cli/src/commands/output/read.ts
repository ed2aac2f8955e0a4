import { callLine } from '@ctx/agent-adapter';
import { CtxError } from '@ctx/core';
import { countText, countedText, encodeValue, outputText } from '@ctx/core/encoding';
import { entryOf } from '@ctx/server/records';
import {
  type ContextStore,
  findPattern,
  readCharacters,
  readJsonPath,
  readLines,
} from '@ctx/store';
import { outputIdOf, pointerUri } from '@ctx/truncation';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type ReadAnswer, readAnswerSchema } from '../../schemas/output.ts';
import { withStore } from '../../store/open-store-url.ts';

interface LineRange {
  readonly from: number;
  readonly to?: number;
}

interface ReadFlags extends StoreFlags {
  readonly lines?: LineRange;
  readonly characters?: string;
  readonly grep?: string;
  readonly jsonPath?: string;
  readonly session?: string;
}

type Part = Omit<ReadAnswer, 'output' | 'args' | 'messages'>;

/** What is read: its text, and what it is. */
interface Source {
  readonly text: string;
  /** What `--json-path` looks into. */
  readonly value: unknown;
  readonly what: Pick<ReadAnswer, 'output' | 'args' | 'messages'>;
  /** One line for a terminal. */
  readonly title: string;
}

const uncapped = { maxCharacters: Number.MAX_SAFE_INTEGER, wrapAt: Number.MAX_SAFE_INTEGER };

function parseRange(text: string): LineRange {
  const match = /^(\d{1,12})(-(\d{1,12})?)?$/.exec(text);
  const [, first = '0', dash, last] = match ?? [];
  const from = Number(first);
  const to = dash === undefined ? from : Number(last ?? Number.MAX_SAFE_INTEGER);
  if (from >= 1 && to >= from) return { from, to };
  throw new InvalidArgumentError('It must look like 40-80, 40- or 40; lines count from 1.');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  return text === '' ? [] : lines;
}

/** Most matching lines that a terminal gets. */
const shownMatches = 200;

function grepPart(text: string, pattern: string, isCapped: boolean): Part {
  const lines = linesOf(text);
  const { matches, totalMatches } = findPattern(text, {
    pattern,
    regex: true,
    contextLines: 0,
    limit: isCapped ? shownMatches : Number.MAX_SAFE_INTEGER,
    maxCharacters: Number.MAX_SAFE_INTEGER,
  });
  const found = matches.map(({ line }) => `${String(line)}:${lines[line - 1] ?? ''}`);
  return { text: found.join('\n'), totalLines: lines.length, totalMatches };
}

function jsonPart({ text, value }: Source, path: string): Part {
  const root = typeof value === 'string' ? parsed(value) : value;
  const { matches } = readJsonPath(root, path, { limit: Number.MAX_SAFE_INTEGER });
  const found = matches.map(({ value }) => (typeof value === 'string' ? value : outputText(value)));
  return { text: found.join('\n'), totalLines: linesOf(text).length };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CtxError('CTX_USAGE', 'the text is not JSON; use --lines, --characters or --grep', {
      cause,
    });
  }
}

function linesPart(text: string, range: LineRange, isCapped: boolean): Part {
  const total = linesOf(text).length;
  if (range.from > Math.max(1, total)) {
    throw new CtxError('CTX_INVALID_ADDRESS', `the output has ${countedText(total, 'line')}`);
  }
  const {
    from,
    to,
    totalLines,
    nextLine,
    rest,
    text: part,
  } = readLines(text, {
    ...(isCapped ? {} : uncapped),
    from: range.from,
    to: Math.max(1, Math.min(total, range.to ?? total)),
  });
  return {
    ...{ text: part, from, to, totalLines },
    ...(nextLine === undefined ? {} : { nextLine }),
    ...(rest === undefined ? {} : { rest }),
  };
}

function charactersPart(text: string, range: string, isCapped: boolean): Part {
  const {
    text: part,
    totalCharacters,
    rest,
  } = readCharacters(text, range, isCapped ? undefined : Number.MAX_SAFE_INTEGER);
  return {
    ...{ text: part, totalLines: linesOf(text).length, totalCharacters },
    ...(rest === undefined ? {} : { rest }),
  };
}

/** The session and the address that a name such as `ctx://messages/26`, or `SESSION/26`, gives of messages; `undefined` for an output's. */
function messagesOf(name: string, session = ''): { session: string; address: string } | undefined {
  const address = name.trim();
  const [, own, places = ''] = /^([\w-]+)\/([\d,-]+)$/.exec(address) ?? [];
  if (own !== undefined) return { session: own, address: `ctx://messages/${places}` };
  return address.startsWith('ctx://messages') ? { session, address } : undefined;
}

async function outputSource(store: ContextStore, id: string): Promise<Source> {
  const output = await store.outputs.load({ id });
  const pointer = output && (await store.outputs.pointer(output));
  if (output === undefined || pointer === undefined) {
    throw new CtxError('CTX_NOT_FOUND', `there is no tool output ${id}`);
  }
  return {
    text: outputText(output.result),
    value: output.result,
    what: {
      output: entryOf.pointer(pointer, pointerUri(pointer.id)),
      args: encodeValue(output.args),
    },
    title: `Result of: ${callLine(output)}`,
  };
}

/** Finds what an address names: an output, the output that a message holds alone, or messages as they came. */
async function sourceOf(store: ContextStore, name: string, given?: string): Promise<Source> {
  const messages = messagesOf(name, given);
  if (messages === undefined) return await outputSource(store, outputIdOf(name));
  const { session, address } = messages;
  if (session === '') {
    throw new CtxError('CTX_INVALID_ADDRESS', `${name} is of a session: add --session <id>`);
  }
  const { messagesText, sessionLog } = await import('@ctx/truncation');
  const { playImported } = await import('@ctx/replay');
  const log = sessionLog((await playImported(store, session))?.store ?? store, session);
  const pointer = await log.outputAt(address);
  if (pointer !== undefined) return await outputSource(store, outputIdOf(pointer));
  const text = messagesText(await log.messagesAt(address));
  const what = { messages: { session, address } };
  return { text, value: text, what, title: `${address} of ${session}` };
}

/** The part of the text that was asked for; the whole where nothing was, a page of it for a terminal. */
function partOf(source: Source, flags: ReadFlags, isCapped: boolean): Part {
  const { text } = source;
  if (flags.grep !== undefined) return grepPart(text, flags.grep, isCapped);
  if (flags.jsonPath !== undefined) return jsonPart(source, flags.jsonPath);
  if (flags.characters !== undefined) return charactersPart(text, flags.characters, isCapped);
  if (flags.lines !== undefined) return linesPart(text, flags.lines, isCapped);
  if (isCapped) return linesPart(text, { from: 1 }, true);
  return { text, totalLines: linesOf(text).length };
}

function partFlags({ lines, characters, grep, jsonPath }: ReadFlags): readonly unknown[] {
  return [lines, characters, grep, jsonPath].filter((flag) => flag !== undefined);
}

async function printPart(context: CommandContext, part: Part, isWhole: boolean): Promise<void> {
  const end = isWhole || part.text === '' ? '' : '\n';
  await context.print(part.text + end);
  if (part.totalMatches === 0) await context.say('no line matches');
  if (
    part.totalMatches !== undefined &&
    part.totalMatches > shownMatches &&
    context.host.out.isTty
  ) {
    await context.say(
      `The first ${countText(shownMatches)} of ${countText(part.totalMatches)} lines; a pipe gets all.`,
    );
  }
  await tellMore(context, part);
}

/** Says where to read on. */
async function tellMore(context: CommandContext, part: Part): Promise<void> {
  if (part.rest !== undefined) {
    await context.say(`There is more of it. Go on with --characters ${part.rest}`);
  }
  if (part.nextLine !== undefined) {
    const range = `${countText(part.from ?? 1)}–${countText(part.to ?? 0)}`;
    await context.say(
      `Lines ${range} of ${countText(part.totalLines)}. More: --lines ${String(part.nextLine)}-`,
    );
  }
}

async function runRead(context: CommandContext, name: string, flags: ReadFlags): Promise<void> {
  if (partFlags(flags).length > 1) {
    throw new CtxError('CTX_USAGE', 'give one of --lines, --characters, --grep and --json-path');
  }
  if (messagesOf(name) === undefined) outputIdOf(name);
  await withStore(context, flags, async (store) => {
    const source = await sourceOf(store, name, flags.session);
    const isCapped = context.host.out.isTty && flags.json !== true;
    const part = partOf(source, flags, isCapped);
    if (flags.json === true) return context.json(readAnswerSchema, { ...source.what, ...part });
    // What a pipe gets of characters is joined again: nothing is added to it.
    const isExact = flags.characters !== undefined && !context.host.out.isTty;
    const isPart = (isCapped || partFlags(flags).length > 0) && !isExact;
    if (context.host.err.isTty) await context.say(source.title);
    await printPart(context, part, !isPart);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'read',
    summary:
      'Read a stored tool output, or messages of a session. A terminal gets pages, a pipe everything, byte for byte.',
    examples: [
      'ctx read ctx://outputs/<id> --lines 40-80',
      'ctx read <id> --characters 12001-24000',
      'ctx read <id> --grep "error|warning"',
      'ctx read <id> --json-path "files[0].name"',
      'ctx read <id> > result.txt',
      'ctx read ctx://messages/26 --session <session>',
    ],
  })
    .argument(
      '<pointer>',
      'ctx://outputs/<id>, the bare id, <session>/<n> or <n>-<m> for its messages, or ctx://messages/<n> with --session',
    )
    .option('--session <id>', 'the session whose messages they are')
    .option('--lines <range>', 'lines, counted from 1: 40-80, 40- or 40', parseRange)
    .option(
      '--characters <range>',
      'characters, counted from 1, for long lines: 1-12000, 12001- or 12001; a pipe gets them exactly',
    )
    .option(
      '--grep <pattern>',
      'lines that match this regular expression (no look-around), with their numbers',
    )
    .option('--json-path <path>', 'values at a path such as a.b[0] or files[*].name');
  return withStoreFlag(command).action((name: string, flags: ReadFlags) =>
    runRead(context, name, flags),
  );
}
