import type { Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import type { Pair, SegmentEdit } from '../log/segment.ts';
import type { WindowPolicy } from '../window-policy.ts';
import { inputStub, ledgerLine, resultStub } from './stub.ts';

/** A call and its result as they stand in the log. */
export interface LeavingInput {
  readonly call: ToolUseBlock;
  readonly callSegment: number;
  readonly callTokens: number;
  readonly result: ToolResultBlock;
  readonly resultSegment: number;
  readonly resultTokens: number;
  /** Where the result is read again, and where the input is. */
  readonly pointer: string;
  readonly callPointer: string;
  /** Whether the call has to stay, because its message holds blocks that providers want back with it. */
  readonly isBound: boolean;
  readonly tokensOf: (message: Message) => number;
}

type Leaving = Pick<Pair, 'edits' | 'savedTokens'>;

function asLedger(input: LeavingInput): Leaving {
  const text = ledgerLine(input.call, input.pointer, input.callPointer);
  const block = { type: 'text', text } as const;
  const tokens = input.tokensOf({ role: 'user', content: [block] });
  const edits: SegmentEdit[] = [
    { segment: input.callSegment, form: 'gone', tokens: 0 },
    { segment: input.resultSegment, form: 'ledger', block, tokens },
  ];
  return { edits, savedTokens: input.callTokens + input.resultTokens - tokens };
}

function stubbedInput(input: LeavingInput, policy: WindowPolicy): SegmentEdit[] {
  if (input.callTokens <= policy.inputStubTokens) return [];
  const block = { ...input.call, input: inputStub(input.call, input.callPointer) };
  const tokens = input.tokensOf({ role: 'assistant', content: [block] });
  if (tokens >= input.callTokens) return [];
  return [{ segment: input.callSegment, form: 'stub', block, tokens }];
}

function stubbedResult(input: LeavingInput): SegmentEdit[] {
  const content = [{ type: 'text', text: resultStub(input.pointer) } as const];
  const block = { ...input.result, content };
  const tokens = input.tokensOf({ role: 'user', content: [block] });
  if (tokens >= input.resultTokens) return [];
  return [{ segment: input.resultSegment, form: 'stub', block, tokens }];
}

function asStub(input: LeavingInput, policy: WindowPolicy): Leaving {
  const call = input.isBound ? [] : stubbedInput(input, policy);
  const result = stubbedResult(input);
  const savedCall = call.reduce((saved, { tokens }) => saved + input.callTokens - tokens, 0);
  const savedResult = result.reduce((saved, { tokens }) => saved + input.resultTokens - tokens, 0);
  return { edits: [...call, ...result], savedTokens: savedCall + savedResult };
}

/** The definitions of tools that a search found: without them the model cannot call those tools. */
const toolReference = 'anthropic:tool_reference';

function stays({ content, isError }: ToolResultBlock, { exceptions }: WindowPolicy): boolean {
  if (content.some((part) => part.type === 'opaque' && part.format === toolReference)) return true;
  return exceptions === 'stay' && (isError === true || content.some(({ type }) => type !== 'text'));
}

/**
 * Says what stands for a call and its result when they leave, and what that saves: one line in place of both, or a call
 * that stays with a short result.
 * Pure; the call of a message with opaque blocks (thinking) always stays, byte for byte. Makes two short texts.
 */
export function planLeaving(input: LeavingInput, policy: WindowPolicy): Leaving {
  if (stays(input.result, policy)) return { edits: [], savedTokens: 0 };
  return policy.form === 'stub' || input.isBound ? asStub(input, policy) : asLedger(input);
}
