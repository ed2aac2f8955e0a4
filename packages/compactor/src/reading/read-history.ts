import {
  type ContentBlock,
  callsOf,
  type Message,
  missingResultText,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@ctx/core';
import { callOutcome, skills, toolCalls } from '@ctx/relevance';
import { pathOfArgs, speech } from '@ctx/store';
import { type CodedInput, codedInput } from './coded-input.ts';
import { commandOf } from './command-of.ts';
import type { History, HistoryCall, HistoryText } from './history.ts';
import { patchedFiles } from './patched-files.ts';
import { endingsOf } from './running.ts';
import { refusalOf } from './said/refusals.ts';
import { withoutEnvelope } from './shell-envelope.ts';
import { writtenFiles } from './shell-writes.ts';

/** Pointers by the id of the call whose result they stand for. */
export type PointersByCall = ReadonlyMap<string, string>;

/**
 * Takes a conversation apart into what was said and what was called.
 * Pure, never throws on foreign content; system messages, opaque blocks and empty texts are left out.
 * Makes one pass over the blocks.
 */
export function surveyHistory(
  messages: readonly Message[],
  pointers: PointersByCall = new Map(),
): History {
  const results = resultsOf(messages);
  const endings = endingsOf(messages.flatMap(callsOf), (id) =>
    textOf(results.get(id)?.content ?? []),
  );
  const calls: HistoryCall[] = [];
  const texts: HistoryText[] = [];
  const written = skills.personBlocks();
  messages.forEach((message, messageIndex) => {
    const { role } = message;
    const isCommand = skills.hasTypedCommand(message) ? { isCommand: true as const } : {};
    for (const text of role === 'system' ? [] : spokenTexts(message, written)) {
      const place = { messageIndex, callsBefore: calls.length };
      if (role !== 'system') texts.push({ role, text, ...place, ...isCommand });
    }
    for (const call of callsOf(message)) {
      const place = { messageIndex, number: calls.length };
      calls.push(
        readCall(call, place, {
          result: results.get(call.id),
          endings: endings.get(call.id) ?? [],
          pointers,
        }),
      );
    }
  });
  return { calls, texts };
}

/** One line, as far in as in its file, and how code looks: converters take the line at which a test failed for the user's message. */
const [farIn, likeCode] = [/^\n*(?: {4}|\t)[^\n]*\n*$/, /[()=;{}[\]]/];

/** A text with fences if it is a line of code, which nobody says. */
const asCode = (text: string): string =>
  farIn.test(text) && likeCode.test(text) ? `\`\`\`\n${text}\n\`\`\`` : text;

/** What was said in a message. Each block of a user's is looked at by itself: hosts put theirs before the person's. */
function spokenTexts(
  message: Message,
  written: (message: Message) => readonly string[],
): readonly string[] {
  const { role, content } = message;
  const byUser = written(message);
  const blocks = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const texts = role === 'user' ? speech.ownBlocks(byUser).map(asCode) : [blocks.join('\n')];
  return texts.map((text) => speech.spokenText(text)).filter((text) => text !== '');
}

interface Place {
  readonly messageIndex: number;
  readonly number: number;
}

interface Answer {
  readonly result: ToolResultBlock | undefined;
  /** What later calls showed of a command that ran on. */
  readonly endings: readonly string[];
  readonly pointers: PointersByCall;
}

function readCall(
  call: ToolUseBlock,
  place: Place,
  { result, endings, pointers }: Answer,
): HistoryCall {
  const pointer = pointers.get(call.id);
  const answer = isMissing(result) ? undefined : result;
  const { command, patched } = askedOf(call.input);
  return {
    id: call.id,
    toolName: call.name,
    input: call.input,
    ...place,
    ...pathPart(call, { command, patched: patched[0]?.path }),
    ...(patched.length === 0 ? {} : { patched }),
    ...(command === undefined ? {} : { command }),
    ...resultPart(answer, command !== undefined || patched.length > 0),
    ...endingPart(endings),
    isError:
      answer?.isError === true || (isEdit(call, patched.length > 0) && hasRefusedEdit(answer)),
    ...refusalPart(answer),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

/** What ctx put in for a result that never came is nothing that a tool said. */
function isMissing(result: ToolResultBlock | undefined): boolean {
  return result !== undefined && textOf(result.content) === missingResultText;
}

function isEdit({ name, input }: ToolUseBlock, isPatch: boolean): boolean {
  return isPatch || toolCalls.access(name, input)?.access === 'edit';
}

/** How tools say, as an ordinary result, that they changed nothing. Source: Codex, OpenHands, SWE-agent. */
const refusedEdit =
  /^(?:apply_patch verification failed|ERROR:\s|Error: |No replacement was performed|Parameter [`'"]?\w{1,40}[`'"]? is )/;

function hasRefusedEdit(result: ToolResultBlock | undefined): boolean {
  return result !== undefined && refusedEdit.test(textOf(result.content));
}

/** The command and the files of patches that arguments name, directly or in a program. */
function askedOf(input: unknown): CodedInput {
  return codedInput(input) ?? { command: commandOf(input), patched: patchedFiles(input) };
}

interface Asked {
  readonly command: string | undefined;
  /** The first file of a patch. */
  readonly patched: string | undefined;
}

function pathPart(
  { name, input }: ToolUseBlock,
  { command, patched }: Asked,
): Pick<HistoryCall, 'path' | 'access'> {
  const written = patched ?? (command === undefined ? undefined : writtenFiles(command)[0]);
  if (written !== undefined) return { path: written, ...accessPart('apply_patch', {}) };
  const path = pathOfArgs(input) ?? (command === undefined ? undefined : pathOfArgs({ command }));
  return path === undefined ? {} : { path, ...accessPart(name, input) };
}

function accessPart(name: string, input: unknown): Pick<HistoryCall, 'access'> {
  const access = toolCalls.access(name, input);
  return access === undefined ? {} : { access };
}

function resultPart(
  result: ToolResultBlock | undefined,
  isCommand: boolean,
): Pick<HistoryCall, 'result' | 'exitCode'> {
  if (result === undefined) return {};
  const text = speech.withoutReminders(textOf(result.content));
  const exitCode = isCommand ? callOutcome.exitCode(text) : undefined;
  const shown = withoutEnvelope(text);
  return exitCode === undefined ? { result: shown } : { result: shown, exitCode };
}

/** A command that ran on ended as its last result shows. */
function endingPart(endings: readonly string[]): Pick<HistoryCall, 'ending' | 'exitCode'> {
  const last = endings.at(-1);
  if (last === undefined) return {};
  const exitCode = callOutcome.exitCode(last);
  const ending = endings.map(withoutEnvelope).join('\n');
  return exitCode === undefined ? { ending } : { ending, exitCode };
}

function refusalPart(result: ToolResultBlock | undefined): Pick<HistoryCall, 'refusal'> {
  if (result === undefined) return {};
  const refusal = refusalOf(textOf(result.content), result.isError === true);
  return refusal === undefined ? {} : { refusal };
}

function resultsOf(messages: readonly Message[]): Map<string, ToolResultBlock> {
  const results = new Map<string, ToolResultBlock>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'tool_result') results.set(block.toolUseId, block);
    }
  }
  return results;
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
