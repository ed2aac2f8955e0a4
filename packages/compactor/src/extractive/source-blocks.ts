import { describeToolCall } from '@ctx/core';
import { newTextOf } from '../reading/edit-text.ts';
import type { History, HistoryCall } from '../reading/history.ts';
import { linesOfText } from './split-lines.ts';

/** Where a line stood; `earlier` is what an earlier summary quotes from tools. */
export type SourceKind = 'call' | 'user' | 'assistant' | 'result' | 'earlier';

/** A run of lines that entered the conversation at one moment. */
export interface SourceBlock {
  readonly kind: SourceKind;
  /** What the lines are listed under: a path, a command, or '' for what was said. */
  readonly group: string;
  /** Calls made since. */
  readonly age: number;
  readonly lines: readonly string[];
}

/** Longest title of a group that is no path, characters. */
const maxTitle = 100;

/** Cuts a conversation into blocks of lines, oldest first. Cost: linear in the text. */
export function sourceBlocks({ calls, texts }: History): SourceBlock[] {
  const placed = [
    ...texts.map(({ role, text, messageIndex, callsBefore }) => ({
      messageIndex,
      block: {
        kind: role,
        group: '',
        age: calls.length - callsBefore,
        lines: linesOfText(text),
      } satisfies SourceBlock,
    })),
    ...calls.flatMap((call) =>
      blocksOfCall(call, calls.length).map((block) => ({ messageIndex: call.messageIndex, block })),
    ),
  ];
  return placed.sort((a, b) => a.messageIndex - b.messageIndex).map(({ block }) => block);
}

function blocksOfCall(call: HistoryCall, callCount: number): SourceBlock[] {
  const group = groupOf(call);
  const age = callCount - call.number - 1;
  const asked: SourceBlock = { kind: 'call', group, age, lines: linesOfCall(call) };
  if (call.result === undefined) return [asked];
  return [asked, { kind: 'result', group, age, lines: linesOfText(call.result) }];
}

/** The title under which the lines of a call and its result are listed. */
export function groupOf(call: HistoryCall): string {
  if (call.path !== undefined) return call.path;
  if (call.command !== undefined) return `$ ${firstLine(call.command).slice(0, maxTitle)}`;
  return describeToolCall(call.toolName, call.input).slice(0, maxTitle);
}

function linesOfCall(call: HistoryCall): readonly string[] {
  const text = newTextOf(call.input) ?? call.command;
  if (text !== undefined) return linesOfText(text);
  return linesOfText(describeToolCall(call.toolName, call.input));
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}
