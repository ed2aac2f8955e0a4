import { describeToolCall, speech } from '@ctx/store';
import { newTextOf } from '../../reading/edit-text.ts';
import type { History, HistoryCall, HistoryText } from '../../reading/history.ts';
import { stringLeaves } from '../../reading/string-leaves.ts';
import { listedByFile } from './listed-lines.ts';
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

/** Names that an earlier summary lists, one in a line: they count, but are no lines to choose from. */
export interface NamesBlock extends Omit<SourceBlock, 'kind'> {
  readonly kind: 'named';
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
  const nameOf = fullNames(calls);
  const placed = [
    ...texts.flatMap((text) =>
      blocksOfText(text, calls.length).map((block) => ({ messageIndex: text.messageIndex, block })),
    ),
    ...calls.flatMap((call) =>
      blocksOfCall(call, {
        age: calls.length - call.number - 1,
        sinceTouch: calls.length - (newest.get(groupOfBlock(call)) ?? call.number) - 1,
        nameOf,
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

/** Gives the file that a listing names the path by which a call named it. */
type NameOf = (listed: string, call: HistoryCall) => string;

/**
 * A file is known again by the end of its path if only one file has that end and it lies below every folder that the call names: equal
 * names in two projects stay apart.
 */
function fullNames(calls: History['calls']): NameOf {
  const paths = Array.from(new Set(calls.flatMap(({ path }) => path ?? [])));
  const known = new Map<string, readonly string[]>();
  return (listed, call) => {
    const bare = listed.replace(/^(?:\.\/)+/, '');
    const ends =
      known.get(bare) ?? paths.filter((path) => path === bare || path.endsWith(`/${bare}`));
    known.set(bare, ends);
    const [path, another] = ends;
    if (path === undefined || another !== undefined || !bare.includes('/')) return bare;
    return liesBelow(path, call) ? path : bare;
  };
}

function liesBelow(path: string, { input, command = '' }: HistoryCall): boolean {
  if (/\bcd +[^/\s]|\bpushd\b/.test(command)) return false;
  const folders = stringLeaves(input)
    .flatMap((text) => (text === command ? text.split(/[\s;&|]+/) : [text]))
    .filter((word) => /^\/[^\s*?]{1,1024}$/.test(word));
  return folders.every((folder) => path.startsWith(folder));
}

interface Ages {
  /** Calls made since. */
  readonly age: number;
  /** Calls made since the newest one on the same file, command or arguments. */
  readonly sinceTouch: number;
  readonly nameOf: NameOf;
}

function blocksOfCall(call: HistoryCall, { age, sinceTouch, nameOf }: Ages): SourceBlock[] {
  const group = groupOfBlock(call);
  const asked = askedBlocks(call, group, age);
  if (call.result === undefined) return asked;
  // What an agent works on it has often read long ago.
  const worn = Math.min(age, sinceTouch + Math.log2(1 + age - sinceTouch));
  const told = listedByFile(call.result).map(({ path, text }): SourceBlock => {
    const from = path === '' ? group : nameOf(path, call);
    return { kind: 'result', group: from, age: worn, lines: linesOfText(text) };
  });
  return [...asked, ...told];
}

/** What a call was asked to do; the added lines of a patch stand under the file that gets them. */
function askedBlocks(call: HistoryCall, group: string, age: number): SourceBlock[] {
  if (call.patched === undefined) return [{ kind: 'call', group, age, lines: linesOfCall(call) }];
  return call.patched.map(({ path, lines }) => ({
    ...{ kind: 'call', group: path, age, lines: linesOfText(lines.join('\n')) },
  }));
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
