import { CtxError, type ToolOutput } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import {
  type ContextStore,
  findPattern,
  readCharacters,
  readJsonPath,
  readLines,
} from '@ctx/store';
import { messagesText, outputIdOf, pointerUri, sessionLog } from '@ctx/truncation';
import { callLine } from './call-line.ts';
import { type MediaMarks, mediaMarks } from './mark-media.ts';
import type { ReadBackAnswer } from './read-back-answer.ts';
import { maxAnswerCharacters, type ReadOutputArgs } from './read-output-args.ts';

/** A text to answer from, and how much of the answer is left for it. */
interface Source {
  readonly text: string;
  readonly maxCharacters: number;
}

function linesAnswer({ text, maxCharacters }: Source, args: ReadOutputArgs): string {
  const { from = 1, to } = args;
  const range = { from, maxCharacters, ...(to === undefined ? {} : { to }) };
  const read = readLines(text, range);
  const head = `[lines ${String(read.from)} to ${String(read.to)} of ${String(read.totalLines)}]`;
  const next = read.nextLine;
  const tail = next === undefined ? [] : [`[go on with "from": ${String(next)}]`];
  const { rest } = read;
  const cut =
    rest === undefined ? [] : [`[this line is cut off: go on with "characters": "${rest}"]`];
  return [head, read.text, ...cut, ...tail].join('\n');
}

/** The characters alone between two lines of ctx, so that pages can be joined. */
function charactersAnswer({ text, maxCharacters }: Source, range: string): string {
  const read = readCharacters(text, range, maxCharacters);
  const { from, to, totalCharacters, rest } = read;
  const head = `[characters ${String(from)} to ${String(to)} of ${String(totalCharacters)}]`;
  const tail = rest === undefined ? [] : [`[go on with "characters": "${rest}"]`];
  return [head, read.text, ...tail].join('\n');
}

interface FoundPlace {
  readonly line: number;
  readonly character?: number;
  readonly again?: readonly number[];
}

/** Where in a long line a match stands, and where that line matches again: read on there by characters. */
function placesInLine({ line, character, again }: FoundPlace): readonly string[] {
  if (character === undefined) return [];
  const also = again === undefined ? '' : `, and again at ${again.join(', ')}`;
  return [`[line ${String(line)} matches at character ${String(character)}${also}]`];
}

/** Signs that mean something in a regular expression and are rare in a plain text. */
const regexSigns = /[\\^$|*+?[\](){}]/;

const plainHint =
  'The pattern was taken as plain text; give "regex": true where it is a regular expression.';

function matchesAnswer(source: Source, pattern: string, args: ReadOutputArgs): string {
  const { text, maxCharacters } = source;
  const { regex = false, ignoreCase = false, contextLines = 2, after = 0 } = args;
  const options = { pattern, regex, ignoreCase, contextLines, after };
  const found = findPattern(text, { ...options, maxCharacters });
  if (found.totalMatches === 0) {
    const isHinted = !regex && regexSigns.test(pattern);
    return isHinted ? `No line matches. ${plainHint}` : 'No line matches.';
  }
  const blocks = found.matches.map((match) => {
    const first = match.line - match.before.length;
    const rows = [...match.before, match.text, ...match.after];
    const shown = rows.map((row, index) => `${String(first + index)}: ${row}`);
    return [...shown, ...placesInLine(match)].join('\n');
  });
  const next = found.nextAfter;
  const tail = next === undefined ? [] : [`[go on with "after": ${String(next)}]`];
  return [`[${String(found.totalMatches)} matching lines]`, blocks.join('\n--\n'), ...tail].join(
    '\n',
  );
}

/** A result that is JSON text counts as the value it says. */
function valueOf(output: ToolOutput): unknown {
  if (typeof output.result !== 'string') return output.result;
  try {
    return JSON.parse(output.result);
  } catch {
    throw new CtxError(
      'CTX_INVALID_ADDRESS',
      'this result is no JSON; read it by lines, characters or pattern',
    );
  }
}

/** Most members that one path may find. */
const mostMembers = 10_000;

interface MemberReading {
  readonly output: ToolOutput;
  readonly args: ReadOutputArgs;
  readonly marks: MediaMarks;
}

function jsonAnswer({ output, args, marks }: MemberReading, maxCharacters: number): string {
  const { jsonPath: path = '$', characters } = args;
  const { matches, hasMore } = readJsonPath(valueOf(output), path, { limit: mostMembers });
  if (matches.length === 0 && !hasMore) return 'Nothing stands at this path.';
  const shown = matches
    .map((match) => `${match.path} = ${outputText(marks.result(match.value))}`)
    .join('\n');
  const more = hasMore ? `\n[more than ${String(mostMembers)} members: give a narrower path]` : '';
  if (characters === undefined && shown.length <= maxCharacters) return shown + more;
  return charactersAnswer({ text: shown, maxCharacters }, characters ?? '1-') + more;
}

/** The output, where it is: in the session, or in one that it was forked from. */
async function findOutput(
  { outputs }: ContextStore,
  id: string,
  sessionIds: readonly string[],
): Promise<ToolOutput | undefined> {
  for (const sessionId of sessionIds) {
    const output = await outputs.load({ id, sessionId });
    if (output !== undefined) return output;
  }
  return undefined;
}

/**
 * The output that a pointer names: of a session, or of one that it was forked from; of the whole tenant where none is named.
 * @throws `CTX_NOT_FOUND`, `CTX_INVALID_INPUT`.
 */
export async function loadOutput(
  store: ContextStore,
  pointer: string,
  sessionId?: string,
): Promise<ToolOutput> {
  const id = outputIdOf(pointer);
  const output =
    sessionId === undefined
      ? await store.outputs.load({ id })
      : ((await findOutput(store, id, [sessionId])) ??
        (await findOutput(store, id, await sessionLog(store, sessionId).origins())));
  if (output !== undefined) return output;
  throw new CtxError('CTX_NOT_FOUND', `there is no output ${pointerUri(id)}`);
}

/** What is read, and where its pictures are kept. */
interface Reading {
  readonly store: ContextStore;
  readonly args: ReadOutputArgs;
  readonly sessionId: string | undefined;
  readonly marks: MediaMarks;
}

/** Messages that left the view, as text; of one that holds a stored result alone, that result. They belong to one session. */
async function messagesAnswer(reading: Reading): Promise<string> {
  const { store, args, sessionId, marks } = reading;
  if (sessionId === undefined) {
    throw new CtxError('CTX_INVALID_ADDRESS', 'ctx://messages can be read in a session only');
  }
  const log = sessionLog(store, sessionId);
  const pointer = await log.outputAt(args.pointer);
  if (pointer !== undefined) return outputAnswer({ ...reading, args: { ...args, pointer } });
  if (args.jsonPath !== undefined) {
    throw new CtxError(
      'CTX_INVALID_ADDRESS',
      'messages are no JSON; read them by lines, characters or pattern',
    );
  }
  const text = messagesText(marks.messages(await log.messagesAt(args.pointer)));
  return textAnswer({ text, maxCharacters: maxAnswerCharacters }, args);
}

function textAnswer(source: Source, args: ReadOutputArgs): string {
  if (args.characters !== undefined) return charactersAnswer(source, args.characters);
  return args.pattern === undefined
    ? linesAnswer(source, args)
    : matchesAnswer(source, args.pattern, args);
}

async function outputAnswer({ store, args, sessionId, marks }: Reading): Promise<string> {
  const output = await loadOutput(store, args.pointer, sessionId);
  const call = `[call: ${callLine(output)}]`;
  const maxCharacters = maxAnswerCharacters - call.length;
  const answer =
    args.jsonPath === undefined
      ? textAnswer({ text: outputText(marks.result(output.result)), maxCharacters }, args)
      : jsonAnswer({ output, args, marks }, maxCharacters);
  return `${call}\n${answer}`;
}

/** The session that an address names itself, as the lines of a proxied conversation do: `SESSION/26`. */
function namedMessages(text: string): { session: string; pointer: string } | undefined {
  const [, session, places = ''] = /^([\w-]+)\/([\d,-]+)$/.exec(text.trim()) ?? [];
  return session === undefined ? undefined : { session, pointer: `ctx://messages/${places}` };
}

/** Does what `readOutput` says. */
export async function answerRead(
  store: ContextStore,
  args: ReadOutputArgs,
  sessionId?: string,
): Promise<ReadBackAnswer> {
  const marks = mediaMarks();
  const named = namedMessages(args.pointer);
  const isOwn = sessionId === undefined || sessionId === named?.session;
  const reading =
    named !== undefined && isOwn
      ? { args: { ...args, pointer: named.pointer }, sessionId: named.session }
      : { args, sessionId };
  const isOfMessages = reading.args.pointer.trim().startsWith('ctx://messages');
  const answer = isOfMessages ? messagesAnswer : outputAnswer;
  const text = await answer({ store, marks, ...reading });
  return { text, media: marks.shownIn(text) };
}
