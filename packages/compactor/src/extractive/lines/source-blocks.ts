import { speech } from '@ctx/core';
import { describeToolCall } from '@ctx/store';
import { newTextOf } from '../../reading/edit-text.ts';
import type { History, HistoryCall, HistoryText } from '../../reading/history.ts';
import { stringLeaves } from '../../reading/string-leaves.ts';
import { linesOfText } from './split-lines.ts';

/**
 * Where a line stood; `pasted` is what is no word of the user's own, `earlier` what an earlier summary quotes from tools, `progress` what it
 * says of files and commands in words of its own.
 */
export type SourceKind =
  | 'call'
  | 'user'
  | 'pasted'
  | 'assistant'
  | 'result'
  | 'earlier'
  | 'progress';

/** A run of lines that entered the conversation at one moment. */
export interface SourceBlock {
  readonly kind: SourceKind;
  /** What the lines are listed under: a path, a command, who said them, or '' where that is not known. */
  readonly group: string;
  /** Calls made since; what a file holds is as young as a little after the newest call that touched it. */
  readonly age: number;
  readonly lines: readonly string[];
}

/** What lines are listed under that came from no call. */
export const speakerGroups = {
  user: 'said by the user',
  assistant: 'said by the assistant',
  pasted: 'in messages of the user, not in their own words',
} as const;

/** Longer values of arguments are shortened where a call is described, characters. */
const maxShortValue = 60;

/** Longest title of a group that is no path, characters. */
const maxTitle = 100;

/** Cuts a conversation into blocks of lines, oldest first. Takes time linear in the text. */
export function sourceBlocks({ calls, texts }: History): SourceBlock[] {
  const newest = new Map(calls.map((call) => [groupOfBlock(call), call.number]));
  const placed = [
    ...texts.flatMap((text) =>
      blocksOfText(text, calls.length).map((block) => ({ messageIndex: text.messageIndex, block })),
    ),
    ...calls.flatMap((call) =>
      blocksOfCall(call, {
        age: calls.length - call.number - 1,
        sinceTouch: calls.length - (newest.get(groupOfBlock(call)) ?? call.number) - 1,
      }).map((block) => ({ messageIndex: call.messageIndex, block })),
    ),
  ];
  return placed.sort((a, b) => a.messageIndex - b.messageIndex).map(({ block }) => block);
}

function blocksOfText({ role, text, callsBefore }: HistoryText, callCount: number): SourceBlock[] {
  const age = callCount - callsBefore;
  const block = { kind: role, group: speakerGroups[role], age, lines: linesOfText(text) };
  if (role === 'assistant') return [block];
  const own = new Set(linesOfText(speech.typedText(text)));
  const isOwn = (line: string): boolean => own.has(line);
  const pasted = block.lines.filter((line) => !isOwn(line));
  return [
    { ...block, kind: 'pasted', group: speakerGroups.pasted, lines: pasted },
    { ...block, lines: block.lines.filter(isOwn) },
  ];
}

interface Ages {
  /** Calls made since. */
  readonly age: number;
  /** Calls made since the newest one on the same file, command or arguments. */
  readonly sinceTouch: number;
}

function blocksOfCall(call: HistoryCall, { age, sinceTouch }: Ages): SourceBlock[] {
  const group = groupOfBlock(call);
  const asked: SourceBlock = { kind: 'call', group, age, lines: linesOfCall(call) };
  if (call.result === undefined) return [asked];
  // What an agent works on it has often read long ago.
  const worn = Math.min(age, sinceTouch + Math.log2(1 + age - sinceTouch));
  return [asked, { kind: 'result', group, age: worn, lines: linesOfText(call.result) }];
}

/** The title under which the lines of a call and its result are listed. */
export function groupOfBlock(call: HistoryCall): string {
  if (call.path !== undefined) return call.path;
  if (call.command !== undefined) return `$ ${firstLine(call.command).slice(0, maxTitle)}`;
  return describeToolCall(call.toolName, call.input).slice(0, maxTitle);
}

function linesOfCall(call: HistoryCall): readonly string[] {
  const text = newTextOf(call.input) ?? call.command;
  if (text !== undefined) return linesOfText(text);
  const long = stringLeaves(call.input).filter(
    (leaf) => leaf.length > maxShortValue || leaf.includes('\n'),
  );
  const described = describeToolCall(call.toolName, call.input);
  return [described, ...long].flatMap((one) => linesOfText(one));
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}
