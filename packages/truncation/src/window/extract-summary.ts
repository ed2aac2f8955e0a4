import { cutText, type Message } from '@ctx/core';
import { plainText } from './plan-insert.ts';
import type { DescribeCall } from './tool-use.ts';

/** What an extract is made of, and how long it may be. */
export interface ExtractOptions {
  readonly describeCall: DescribeCall;
  /** Default 6,000. */
  readonly maxCharacters?: number;
}

/** Longest piece of one message, characters. */
const maxPiece = 400;

/** Most file names in one list. */
const maxFiles = 40;

/** The beginning of a text, in one paragraph. */
function piece(text: string): string {
  const shown = cutText(text.trim(), { maxCharacters: maxPiece });
  return shown.replaceAll(/\s+/gu, ' ') + (shown.length < text.trim().length ? ' …' : '');
}

function piecesOf({ role, content }: Message): string[] {
  return content.flatMap((block) => {
    if (block.type === 'text') return role === 'assistant' ? [piece(block.text)] : [];
    if (block.type !== 'tool_result' || block.isError !== true) return [];
    return [`A call failed: ${piece(plainText(block.content) ?? '')}`];
  });
}

/** The newest pieces that fit, in the order in which they were said. */
function newest(pieces: readonly string[], room: number): string[] {
  let left = room;
  let first = pieces.length;
  while (first > 0) {
    left -= (pieces[first - 1]?.length ?? 0) + 3;
    if (left < 0) break;
    first -= 1;
  }
  return pieces.slice(first);
}

function filesOf(messages: readonly Message[], describeCall: DescribeCall): string[] {
  const files = { read: new Set<string>(), edit: new Set<string>() };
  for (const { content } of messages) {
    for (const block of content) {
      const use = block.type === 'tool_use' ? describeCall(block) : undefined;
      if (use !== undefined) files[use.access].add(use.path);
    }
  }
  const list = (title: string, paths: Set<string>): string[] =>
    paths.size === 0 ? [] : [`${title}: ${[...paths].slice(-maxFiles).join(', ')}`];
  return [...list('Files edited', files.edit), ...list('Files read', files.read)];
}

/**
 * A summary without a model: the beginnings of what the assistant said, what failed, and the files that were used.
 * Contract: pure; the same messages, the same bytes; newest pieces first to stay. Cost: one pass over the messages.
 */
export function extractSummary(messages: readonly Message[], options: ExtractOptions): string {
  const { describeCall, maxCharacters = 6000 } = options;
  const files = filesOf(messages, describeCall).map((line) =>
    cutText(line, { maxCharacters: maxCharacters / 3 }),
  );
  const room = maxCharacters - files.join('\n').length;
  const pieces = newest(messages.flatMap(piecesOf), room).map((each) => `- ${each}`);
  const said = pieces.length === 0 ? [] : ['What was said and found:', ...pieces];
  const lines = [...said, ...files];
  return lines.length === 0 ? 'Nothing but calls and their results.' : lines.join('\n');
}
