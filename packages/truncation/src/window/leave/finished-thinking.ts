import type { ContentBlock, Message } from '@ctx/core';
import { planPart } from '../insert/plan-part.ts';
import type { Pair, SegmentEdit, ThoughtfulMessage } from '../log/segment.ts';
import type { WindowState } from '../window-state.ts';
import { planLeaving } from './plan-leaving.ts';

/** Thinking, or its signature, that a provider wants back only while the tool loop runs that it belongs to. */
const thinkingFormats: ReadonlySet<string> = new Set([
  'anthropic:thinking',
  'anthropic:redacted_thinking',
  'openai-responses:reasoning',
  'gemini:signature',
]);

/** With these a text may stay whose thinking left: the others tie each item to the one before it. */
const isLoose = (format: string): boolean => format.startsWith('anthropic:');

function mayLeave({ content }: Message): boolean {
  const opaque = content.filter((block) => block.type === 'opaque');
  if (opaque.length === 0 || !opaque.every(({ format }) => thinkingFormats.has(format)))
    return false;
  return (
    opaque.every(({ format }) => isLoose(format)) || content.every(({ type }) => type !== 'text')
  );
}

/** Takes note of a message whose thinking may leave once its turn is over. `first`: its first segment. */
export function takeThinking(state: WindowState, message: Message, first: number): void {
  const calls = message.content.filter(({ type }) => type === 'tool_use').length;
  if (calls === 0 || !mayLeave(message)) return;
  const thoughts = message.content.flatMap(({ type }, at) =>
    type === 'opaque' ? [first + at] : [],
  );
  state.thoughtful.set(state.log.messages.length, { thoughts, calls, pairs: [], turn: state.turn });
}

const messageOf = ({ log }: WindowState, pair: Pair): number =>
  log.segments[pair.callSegment]?.message ?? -1;

/** The message of a bound call, as long as its thinking is shown. */
export function thoughtfulOf(state: WindowState, pair: Pair): ThoughtfulMessage | undefined {
  return pair.isBound ? state.thoughtful.get(messageOf(state, pair)) : undefined;
}

/** What stands for a call and its result once nothing binds them. */
function freeEdits(state: WindowState, pair: Pair, inPart: boolean): readonly SegmentEdit[] {
  const { log, host, words } = state;
  const result = log.segments[pair.resultSegment];
  if (result?.block?.type !== 'tool_result') return [];
  const { tokensOf } = host;
  const known = { result: result.block, resultTokens: result.tokens, tokensOf };
  if (inPart) {
    const isWorkWord = words.forFile(pair.use?.path ?? '');
    return planPart({ ...known, pair: { ...pair, isBound: false }, isWorkWord }, state.policy());
  }
  return ledgerEdits(state, pair, result.block);
}

function ledgerEdits(state: WindowState, pair: Pair, result: ContentBlock): readonly SegmentEdit[] {
  if (result.type !== 'tool_result') return [];
  const { callSegment, resultSegment, call, callPointer, address } = pair;
  const { edits } = planLeaving(
    {
      ...{ call, callSegment, callTokens: 0, result, resultSegment, resultTokens: 0 },
      ...{ pointer: address, callPointer, isBound: false, tokensOf: state.host.tokensOf },
    },
    state.policy(),
  );
  return edits;
}

/** Which calls leave now, and what stands for them while they are bound. */
export interface BoundLeaving {
  readonly pairs: readonly Pair[];
  readonly edits: readonly SegmentEdit[];
  /** Nothing before this segment changes. */
  readonly first: number;
}

/** Whether a call leaves with its whole message: then nothing of the message is shown that could be changed. */
function leftWithMessages(edit: SegmentEdit | undefined): boolean {
  return edit?.form === 'cut' || edit?.form === 'summarised';
}

function isGoing({ state }: Pair): boolean {
  return state === 'left' || state === 'staying';
}

/**
 * Lets the thinking of finished turns leave with the last of the calls of its message: all of them go in this flush, or went before for a
 * short stand-in. Then nothing of the message stays but its text.
 * Pure; the thinking of the turn that runs stays, and a message of which one call stays is not changed.
 * Goes through the messages with thinking in view.
 */
export function leaveThinking(state: WindowState, leaving: BoundLeaving): BoundLeaving {
  const { form, thinking } = state.policy();
  if (form === 'stub' || thinking === 'stays') return leaving;
  const going = new Set(leaving.pairs);
  const inPart = new Set(
    leaving.edits.flatMap(({ form, segment }) => (form === 'part' ? segment : [])),
  );
  const edits = new Map(leaving.edits.map((edit) => [edit.segment, edit]));
  const pairs = new Set(leaving.pairs);
  const isOver = ({ thoughts, calls, pairs: own, turn }: ThoughtfulMessage): boolean =>
    turn < state.turn &&
    own.length === calls &&
    !own.some(({ callSegment }) => leftWithMessages(edits.get(callSegment))) &&
    (thoughts[0] ?? -1) >= leaving.first &&
    own.every((pair) => going.has(pair) || isGoing(pair));
  for (const { thoughts, pairs: own } of [...state.thoughtful.values()].filter(isOver)) {
    const free = own.map((pair) => freeEdits(state, pair, inPart.has(pair.resultSegment)));
    if (free.some(({ length }) => length === 0)) continue;
    for (const edit of free.flat()) edits.set(edit.segment, edit);
    for (const segment of thoughts) edits.set(segment, { segment, form: 'gone', tokens: 0 });
    for (const pair of own) pairs.add(pair);
  }
  return { ...leaving, pairs: [...pairs], edits: [...edits.values()] };
}

/** Takes note that the thinking of these messages left: what is still shown of their calls is bound no more. */
export function forgetThinking(state: WindowState, gone: ReadonlySet<number>): void {
  for (const [message, { thoughts, pairs }] of state.thoughtful) {
    if (!thoughts.some((segment) => gone.has(segment))) continue;
    state.thoughtful.delete(message);
    for (const pair of pairs) unbind(state, pair);
  }
}

/** Forgets the messages up to one that left with all that they hold. */
export function dropThinking({ thoughtful }: WindowState, to: number): void {
  for (const message of thoughtful.keys()) if (message <= to) thoughtful.delete(message);
}

function unbind(state: WindowState, pair: Pair): void {
  pair.isBound = false;
  if (!pair.isInPart) return;
  pair.edits = ledgerEdits(state, pair, {
    type: 'tool_result',
    toolUseId: pair.call.id,
    content: [],
  });
  pair.ledgerTokens = pair.edits.reduce((sum, { tokens }) => sum + tokens, 0);
}
