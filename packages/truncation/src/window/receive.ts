import { callsOf, type Message } from '@ctx/core';
import { receiveResult } from './receive-result.ts';
import { messagesUri } from './stub.ts';
import type { SegmentDraft } from './window-log.ts';
import type { WindowState } from './window-state.ts';

/** Puts an admitted message into the log. */
function append(state: WindowState, message: Message): void {
  const { log, host } = state;
  const index = log.messages.length;
  const isBound = message.content.some(({ type }) => type === 'opaque');
  const beginsTurn =
    message.role === 'user' && !message.content.some(({ type }) => type === 'tool_result');
  if (beginsTurn) {
    state.turn += 1;
    state.queue.beginTurn();
  }
  const firstSegment = log.segments.length;
  const drafts = message.content.map((block, offset): SegmentDraft => {
    const segment = firstSegment + offset;
    const open = block.type === 'tool_result' ? state.openCalls.get(block.toolUseId) : undefined;
    if (block.type === 'tool_result' && open !== undefined) {
      state.openCalls.delete(block.toolUseId);
      const callMessage = log.segments[open.segment]?.message ?? index;
      const pointer = state.pointers[open.call.id] ?? messagesUri(callMessage, index);
      return receiveResult(state, { block, open, pointer, segment });
    }
    const tokens = host.tokensOf({ role: message.role, content: [block] });
    const pointer = messagesUri(index);
    return { pointer, form: 'whole', givenTokens: tokens, insertedTokens: tokens, block };
  });
  log.append(message, drafts);
  for (const [offset, block] of message.content.entries()) {
    if (block.type !== 'tool_use') continue;
    state.openCalls.set(block.id, { call: block, segment: firstSegment + offset, isBound });
  }
}

/** Takes a message as it came. Cost: its blocks. */
export function receive(
  state: WindowState,
  message: Message,
  pointers: Readonly<Record<string, string>>,
): void {
  const admitted = state.admission.admit(message);
  state.pointers = callsOf(message).length > 0 ? {} : { ...state.pointers, ...pointers };
  for (const each of admitted) append(state, each);
}

/** Puts what a request needs into the log: results that did not come, and what waited for them. Tells whether there was any. */
export function settle(state: WindowState): boolean {
  const messages = state.admission.settle();
  for (const message of messages) append(state, message);
  return messages.length > 0;
}
