import { cutText, type ToolUseBlock } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { describeToolCall, pathOfArgs } from '@ctx/store';

/** Longest subject of a line, characters. */
const maxSubject = 60;

/** Inputs over this size are named with their own address beside the line that tells them in short, characters. */
const maxTold = 200;

/** So many of the last names of a path tell which file it is. */
const tellingNames = 2;

function shortPath(path: string): string {
  const names = path.split('/').filter((name) => name !== '');
  if (names.length <= tellingNames + 1) return path;
  return `…/${names.slice(-tellingNames).join('/')}`;
}

/** The call in one line; the first argument goes without its name, which the tool tells. */
function callLine({ name, input }: ToolUseBlock): string {
  const line = describeToolCall(name, input);
  const [first = ''] = typeof input === 'object' && input !== null ? Object.keys(input) : [];
  const start = `${name} ${first}=`;
  return line.startsWith(start) ? `${name} ${line.slice(start.length)}` : line;
}

/** What a call was about, in few words: its tool and the file, else the beginning of its arguments. */
export function subjectOf(call: ToolUseBlock): string {
  const path = pathOfArgs(call.input);
  const line = path === undefined ? callLine(call) : `${call.name} ${shortPath(path)}`;
  const subject = cutText(line.replaceAll(lineSigns, ' '), { maxCharacters: maxSubject });
  return subject.trim();
}

/** Signs that break a line, or turn the direction of reading. */
const lineSigns = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069[\]]+/gu;

/** What stands before the address of an input in a ledger line. */
export const inputMark = '(input: ';

/** The addresses of a call: where its result is read again, and where its input is. */
export interface CallAddresses {
  readonly call: ToolUseBlock;
  readonly pointer: string;
  readonly callPointer: string;
}

/** A call whose line names messages. */
export interface LeavingCall extends Pick<CallAddresses, 'call' | 'callPointer'> {
  readonly address: string;
}

/** Whether the line of a call names the address of its input, too. */
export function namesInput({ call, pointer, callPointer }: CallAddresses): boolean {
  const isBehind = pointer === callPointer || pointer.startsWith(`${callPointer}-`);
  return !isBehind && outputText(call.input).length > maxTold;
}

/**
 * The one line that stays of a call and its result. `callPointer` says where the input is read again: it stands in the line
 * where the input is longer than a line tells, and `pointer` gives only the result.
 */
export function ledgerLine(call: ToolUseBlock, pointer: string, callPointer?: string): string {
  const isNamed = callPointer !== undefined && namesInput({ call, pointer, callPointer });
  const input = isNamed ? ` ${inputMark}${callPointer})` : '';
  return `[${subjectOf(call)}${input} → ${pointer}]`;
}

/** Whether an address is one of messages in the log of this session. */
export function isOfMessages(address: string): boolean {
  return address.startsWith(messagesStart);
}

/** The places that a call needs: its own where its input is longer than a line tells, and that of its result. */
function placesOf(addresses: CallAddresses): string[] {
  const { pointer, callPointer } = addresses;
  const named = namesInput(addresses) ? [callPointer, pointer] : [pointer];
  return named.map((address) => address.slice(messagesStart.length));
}

/** Most places that are named one by one. */
const maxPlaces = 4;

/** The address of the messages at these places, or of all from the first to the last where they are many. */
function joinedUri(places: readonly string[]): string {
  if (places.length <= maxPlaces) return `${messagesStart}${places.join(',')}`;
  const numbers = places.flatMap((place) => place.split('-').map(Number));
  return messagesUri(Math.min(...numbers), Math.max(...numbers));
}

/** The line that stays of several calls and their results: what each was about, and the places of their messages in the same order. */
export function joinedLine(calls: readonly LeavingCall[]): string {
  let before = '';
  const told = calls.map(({ call }) => {
    const subject = subjectOf(call);
    const isSame = call.name === before && subject.startsWith(`${call.name} `);
    before = call.name;
    return isSame ? subject.slice(call.name.length + 1) : subject;
  });
  const places = calls.flatMap(({ call, address, callPointer }) =>
    placesOf({ call, pointer: address, callPointer }),
  );
  return `[${told.join('; ')} → ${joinedUri(places)}]`;
}

/** Stands above what is shown in part of a result whose call stays. */
export function partNotice(pointer: string): string {
  return `[ctx: in part; whole at ${pointer}]`;
}

/** Stands for a result whose call stays. */
export function resultStub(pointer: string): string {
  return `[ctx: this result left the view; it is kept at ${pointer}]`;
}

/** Stands for an input whose call stays: an object, as providers want it. `pointer`: where the input itself is read. */
export function inputStub(call: ToolUseBlock, pointer: string): Readonly<Record<string, string>> {
  return { ctx: `${subjectOf(call)}; the whole input is kept at ${pointer}` };
}

/** Stands for a result that is the same as one in view. */
export function sameStub(call: ToolUseBlock, pointer: string): string {
  return `[ctx: same content as the result of ${subjectOf(call)} above; also at ${pointer}]`;
}

/** Stands for a file that was read again and changed: `diff` against the copy in view. */
export function diffStub(diff: string, pointer: string): string {
  return `[ctx: changes since this was read above; whole at ${pointer}]\n${diff}`;
}

/** Stands for lines of a file that a read shows above: which, and where all of the new read is kept. */
export function overlapNotice(lines: string, call: ToolUseBlock, pointer: string): string {
  return `[ctx: ${lines} stand in the result of ${subjectOf(call)} above; whole at ${pointer}]`;
}

/** Stands for messages that left altogether. */
export function cutNotice(from: number, to: number): string {
  return `[ctx: ${String(to - from + 1)} earlier messages left the view; they are kept at ${messagesUri(from, to)}]`;
}

/** How the address of messages begins. */
const messagesStart = 'ctx://messages/';

/** The address of messages in the log of this session. */
export function messagesUri(from: number, to: number = from): string {
  const places = from === to ? String(from) : `${String(from)}-${String(to)}`;
  return `${messagesStart}${places}`;
}
