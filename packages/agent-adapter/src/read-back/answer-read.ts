import { CtxError, cutText, type ToolOutput } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { type ContextStore, findPattern, readJsonPath, readLines } from '@ctx/store';
import {
  messagesText,
  originsOf,
  outputIdOf,
  outputOfAddress,
  pointerUri,
  readAddress,
} from '@ctx/truncation';
import { callLine } from './call-line.ts';
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
  const cut = read.cut ? ['[the last line is cut off: look into it with "pattern"]'] : [];
  return [head, read.text, ...cut, ...tail].join('\n');
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
    return rows.map((row, index) => `${String(first + index)}: ${row}`).join('\n');
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
      'this result is no JSON; read it by lines or pattern',
    );
  }
}

function jsonAnswer(output: ToolOutput, path: string, maxCharacters: number): string {
  const { matches, hasMore } = readJsonPath(valueOf(output), path, { limit: 100 });
  if (matches.length === 0) return 'Nothing stands at this path.';
  const shown = matches.map((match) => `${match.path} = ${outputText(match.value)}`).join('\n');
  const text = cutText(shown, { maxCharacters });
  return text === shown && !hasMore ? text : `${text}\n[there is more: give a narrower path]`;
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
 * Throws: `CTX_NOT_FOUND`, `CTX_INVALID_INPUT`.
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
        (await findOutput(store, id, await originsOf(store, sessionId))));
  if (output !== undefined) return output;
  throw new CtxError('CTX_NOT_FOUND', `there is no output ${pointerUri(id)}`);
}

/** Messages that left the view, as text; of one that holds a stored result alone, that result. They belong to one session. */
async function messagesAnswer(
  store: ContextStore,
  args: ReadOutputArgs,
  sessionId?: string,
): Promise<string> {
  if (sessionId === undefined) {
    throw new CtxError('CTX_INVALID_ADDRESS', 'ctx://messages can be read in a session only');
  }
  const pointer = await outputOfAddress(store, sessionId, args.pointer);
  if (pointer !== undefined) return outputAnswer(store, { ...args, pointer }, sessionId);
  if (args.jsonPath !== undefined) {
    throw new CtxError(
      'CTX_INVALID_ADDRESS',
      'messages are no JSON; read them by lines or pattern',
    );
  }
  const text = messagesText(await readAddress(store, sessionId, args.pointer));
  return textAnswer({ text, maxCharacters: maxAnswerCharacters }, args);
}

function textAnswer(source: Source, args: ReadOutputArgs): string {
  return args.pattern === undefined
    ? linesAnswer(source, args)
    : matchesAnswer(source, args.pattern, args);
}

async function outputAnswer(
  store: ContextStore,
  args: ReadOutputArgs,
  sessionId?: string,
): Promise<string> {
  const output = await loadOutput(store, args.pointer, sessionId);
  const call = `[call: ${callLine(output)}]`;
  const maxCharacters = maxAnswerCharacters - call.length;
  const answer =
    args.jsonPath === undefined
      ? textAnswer({ text: outputText(output.result), maxCharacters }, args)
      : jsonAnswer(output, args.jsonPath, maxCharacters);
  return `${call}\n${answer}`;
}

/** Does what `readOutput` says. */
export async function answerRead(
  store: ContextStore,
  args: ReadOutputArgs,
  sessionId?: string,
): Promise<string> {
  const isOfMessages = args.pointer.trim().startsWith('ctx://messages');
  const answer = isOfMessages ? messagesAnswer : outputAnswer;
  return answer(store, args, sessionId);
}
