import { type ContentBlock, callsOf, type Message, type ToolUseBlock, unitsOf } from '@ctx/core';
import type { RecordedOutput } from '@ctx/truncation';
import { ledgerLine, resultStub } from '@ctx/truncation';
import type { Hindsight } from '../replay-policy.ts';
import { withPreviews } from './offload.ts';

type Outputs = ReadonlyMap<string, RecordedOutput>;

/** A call with its results, or one other message, in the two forms that it may have in a request. */
export interface HindsightUnit {
  /** Place of its first message in the session. */
  readonly start: number;
  /** As it comes in: large results are previews already. */
  readonly whole: readonly Message[];
  /** What stands for it once it left; left out where nothing of it can. */
  readonly left?: readonly Message[];
  /** Outputs whose pointers stand in each form. */
  readonly wholePointers: readonly string[];
  readonly leftPointers: readonly string[];
}

interface UnitInput {
  readonly messages: readonly Message[];
  readonly outputs: Outputs;
  readonly calls: ReadonlyMap<string, ToolUseBlock>;
  /** Whether the calls have to stay, because their message holds blocks that providers want back with them. */
  readonly isBound: boolean;
}

function leftBlock(block: ContentBlock, { outputs, calls, isBound }: UnitInput): ContentBlock[] {
  if (block.type === 'tool_use') return isBound ? [block] : [];
  if (block.type !== 'tool_result') return [block];
  const call = calls.get(block.toolUseId);
  const pointer = outputs.get(block.toolUseId)?.pointer;
  if (call === undefined || pointer === undefined) return [block];
  if (!isBound) return [{ type: 'text', text: ledgerLine(call, pointer) }];
  return [{ ...block, content: [{ type: 'text', text: resultStub(pointer) }] }];
}

function leftMessages(input: UnitInput): Message[] {
  return input.messages.flatMap((message) => {
    const content = message.content.flatMap((block) => leftBlock(block, input));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

/** Whether every result of the unit can be read back, and every call has one. */
function mayLeave({ messages, outputs, calls }: UnitInput): boolean {
  const answered = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
  );
  return (
    calls.size > 0 && answered.length === calls.size && answered.every((id) => outputs.has(id))
  );
}

const idsOf = (outputs: Outputs, isShown: (output: RecordedOutput) => boolean): string[] =>
  [...outputs.values()].filter(isShown).map(({ receipt }) => receipt.pointer.id);

/** The units of a session that is known to its end, in both forms. Goes through its blocks once. */
export function hindsightUnits({ messages, outputs }: Hindsight): HindsightUnit[] {
  return unitsOf(messages).map(({ start, end }) => {
    const given = messages.slice(start, end);
    const known: Outputs = new Map(outputs.slice(start, end).flatMap((each) => [...each]));
    const whole = given.map((message) => withPreviews(message, known));
    const calls = new Map(given.flatMap(callsOf).map((call) => [call.id, call]));
    const isBound = given[0]?.content.some(({ type }) => type === 'opaque') ?? false;
    const input = { messages: given, outputs: known, calls, isBound };
    const left = mayLeave(input) ? { left: leftMessages(input) } : {};
    const wholePointers = idsOf(known, ({ offloaded }) => offloaded);
    return { start, whole, ...left, wholePointers, leftPointers: idsOf(known, () => true) };
  });
}
