import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A call of a tool as a session of Claude Code recorded it. */
export interface RecordedCall {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly toolResponse: unknown;
}

interface RecordShape {
  readonly toolUseResult?: unknown;
  readonly message?: { readonly content?: unknown };
}

interface BlockShape {
  readonly type?: unknown;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
}

function blocksOf({ message }: RecordShape): readonly BlockShape[] {
  return Array.isArray(message?.content) ? (message.content as BlockShape[]) : [];
}

type Calls = Map<string, { readonly name: string; readonly input: unknown }>;

/** What a block says: a call, which is remembered, or the result of one. */
function callIn(
  { type, id, name = '', input, tool_use_id: of = '' }: BlockShape,
  { toolUseResult: toolResponse }: RecordShape,
  calls: Calls,
): RecordedCall[] {
  if (type === 'tool_use' && id !== undefined) calls.set(id, { name, input });
  const call = type === 'tool_result' ? calls.get(of) : undefined;
  if (call === undefined) return [];
  return [{ toolUseId: of, toolName: call.name, toolInput: call.input, toolResponse }];
}

/** Reads the calls of a session's file, with the response in the tool's own shape. */
function readRecordedCalls(text: string): RecordedCall[] {
  const calls: Calls = new Map();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line) => {
    const record = JSON.parse(line) as RecordShape; // Files of a tool whose format is known.
    return blocksOf(record).flatMap((block) => callIn(block, record, calls));
  });
}

/** Where recorded sessions lie, on machines that have them. */
const folder = new URL('../../../shared/data/native/claude-code/', import.meta.url).pathname;

/** The recorded calls that are there; none on most machines. */
export function recordedCalls(): RecordedCall[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => readRecordedCalls(readFileSync(join(folder, name), 'utf8')));
}
