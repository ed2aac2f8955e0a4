import type { ContextPointer } from '@ctx/core';
import type { ContextStore, OutputInput } from '@ctx/store';
import type { OffloadPolicy, RecordOptions } from '@ctx/truncation';
import { printOf, readBacks, recordToolOutput } from '@ctx/truncation';
import { type HookAnswer, toolOutputAnswer } from './hook-answer.ts';
import { type HookCall, hookCall, noteHookCall } from './hook-calls.ts';
import type { ToolUseInput } from './hook-input.ts';
import { noteHostSession } from './host-session.ts';
import {
  defaultShellCommand,
  readCommand,
  readsByShell,
  type ShellCommand,
} from './shell-command.ts';
import { type ResponseShape, shapeOfResponse } from './tool-shapes.ts';

/** How results of tools are recorded. */
export interface ToolUseOptions extends Partial<OffloadPolicy> {
  /** Version of Claude Code, such as `2.1.121`. Default: a current one. */
  readonly hostVersion?: string;
  /** How ctx is called in a shell. Default: as `ctx`. */
  readonly shell?: ShellCommand;
  /** Says in a preview how the rest is read. Default: by `ctx read` in a shell. */
  readonly readHint?: RecordOptions['readHint'];
}

/** What became of a result. */
export interface RecordedToolUse {
  readonly answer: HookAnswer;
  /** The stored output; missing where the tool only read what ctx keeps. */
  readonly pointer?: ContextPointer;
  readonly offloaded: boolean;
  /** Whether this call was recorded before. */
  readonly repeated: boolean;
}

/** Names of the tools by which the MCP server of ctx is installed. */
const ownServer = 'mcp__ctx__';

/** A longer answer is treated like that of any other tool, characters. */
const maxReadBack = 40_000;

/** Whether a call reads what ctx keeps: its answer is not kept again. */
function readsBack(
  { toolName, toolInput, toolResponse }: ToolUseInput,
  shell: ShellCommand,
): boolean {
  const shape = shapeOfResponse(toolName, toolResponse);
  if (shape === undefined || shape.text.length > maxReadBack) return false;
  if (toolName.startsWith(ownServer)) return true;
  if (toolName !== 'Bash' || typeof toolInput !== 'object' || toolInput === null) return false;
  const command: unknown = Object.getOwnPropertyDescriptor(toolInput, 'command')?.value;
  return typeof command === 'string' && command.length < 2000 && readsByShell(shell, command);
}

/** A call on its way into the store. */
interface Recording {
  readonly store: ContextStore;
  readonly given: ToolUseInput;
  readonly input: OutputInput;
  readonly shape: ResponseShape | undefined;
  readonly options: ToolUseOptions;
}

function recordingOf(store: ContextStore, given: ToolUseInput, options: ToolUseOptions): Recording {
  const { sessionId, toolName, toolInput: args, toolUseId: callId, agentId } = given;
  const shape = shapeOfResponse(toolName, given.toolResponse);
  const input: OutputInput = {
    ...{ sessionId, toolName, args, callId },
    result: shape?.text ?? given.toolResponse ?? null,
    ...(agentId === undefined ? {} : { taskId: agentId }),
  };
  return { store, given, input, shape, options };
}

/** The output that the call has already, where it says the same. */
async function knownPointer(
  { store, input }: Recording,
  known: HookCall | undefined,
): Promise<ContextPointer | undefined> {
  if (known === undefined) return undefined;
  const pointer = await store.outputs.pointer({ id: known.outputId, sessionId: input.sessionId });
  const print = printOf(store, { input: input.args }, input.result);
  return pointer?.fingerprint === print ? pointer : undefined;
}

/** Stores the result, or finds it; the answer is the same. */
async function record(
  { store, given, input, shape, options }: Recording,
  recorded: ContextPointer | undefined,
): Promise<RecordedToolUse & { readonly pointer: ContextPointer; readonly savedTokens: number }> {
  const repeated = recorded !== undefined;
  if (shape === undefined) {
    const pointer = recorded ?? (await store.outputs.save(input)).pointer;
    return { answer: {}, pointer, offloaded: false, repeated, savedTokens: 0 };
  }
  const { hostVersion, shell = defaultShellCommand, ...policy } = options;
  const { content, offloaded, tokens, receipt } = await recordToolOutput(store, input, {
    readHint: (uri, by) => readBacks.shellHint(readCommand(shell, uri), by),
    ...policy,
    ...(recorded === undefined ? {} : { recorded }),
  });
  const { pointer } = receipt;
  if (!offloaded) return { answer: {}, pointer, offloaded, repeated, savedTokens: 0 };
  const answer = toolOutputAnswer(given.toolName, shape.withText(content), hostVersion);
  const isTaken = answer.hookSpecificOutput !== undefined;
  const savedTokens = isTaken ? pointer.tokens - tokens : 0;
  return { answer, pointer, offloaded: isTaken, repeated, savedTokens };
}

/** Records a call once. If another process records it at the same time, its output counts. */
async function recordFirst(
  recording: Recording,
  known: HookCall | undefined,
): Promise<RecordedToolUse> {
  const { store, given } = recording;
  const { savedTokens, ...recorded } = await record(recording, undefined);
  const { pointer, offloaded } = recorded;
  const saving = { offloaded, savedTokens };
  if (await noteHookCall(store, { name: given, pointer, saving, known })) return recorded;
  const other = await knownPointer(recording, await hookCall(store, given));
  if (other === undefined) return recorded;
  await store.outputs.delete([{ id: pointer.id, sessionId: given.sessionId }]);
  return record(recording, other);
}

/** A session whose beginning no hook saw gets its record here. */
async function beginSession(store: ContextStore, sessionId: string): Promise<void> {
  if ((await store.sessions.get(sessionId)) !== undefined) return;
  await noteHostSession(store, sessionId, (known) => known);
}

/**
 * Takes what a tool of Claude Code returned: all of it goes into the store, and a large result leaves the model a preview with a
 * pointer, in the shape that the tool has. The lane of a sub-agent is its `agentId`, as the task of the output.
 * The same call with the same result is stored once and answered the same, by however many processes at once; a response of
 * an unknown shape is stored and not changed; what reads ctx itself is neither. What was redacted on admission is redacted in a
 * preview; a result that stays whole is not touched.
 * @throws the codes of the store.
 */
export async function recordToolUse(
  store: ContextStore,
  given: ToolUseInput,
  options: ToolUseOptions = {},
): Promise<RecordedToolUse> {
  if (readsBack(given, options.shell ?? defaultShellCommand))
    return { answer: {}, offloaded: false, repeated: false };
  const recording = recordingOf(store, given, options);
  const known = await hookCall(store, given);
  if (known === undefined) await beginSession(store, given.sessionId);
  const pointer = await knownPointer(recording, known);
  if (pointer === undefined) return recordFirst(recording, known);
  const { savedTokens: _saved, ...recorded } = await record(recording, pointer);
  return recorded;
}
