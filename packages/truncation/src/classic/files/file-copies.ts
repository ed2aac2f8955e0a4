import type { Message, TextBlock, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { type FileToolTable, type FileUse, mentionTags } from '../../calls/files/file-tools.ts';
import { fileUseOf } from '../../calls/files/file-use.ts';
import { type LineRange, wholeFile } from '../../calls/files/line-range.ts';
import { noticeStart } from '../notices.ts';
import { type DeletedRange, isDeleted } from '../range/deleted-range.ts';
import { findFileTags } from './file-tags.ts';
import { readToolHeader, type ToolHeader } from './tool-header.ts';

/** A piece of text in a block. */
export interface TextSpan {
  /** Index into the content of a result; absent in a text block. */
  readonly partIndex?: number;
  readonly start: number;
  readonly end: number;
}

/** A file's content, whole or in part, as it stands in the conversation. */
export interface FileCopy {
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly path: string;
  readonly lines: LineRange | 'unknown';
  /** Where it stands, in order. */
  readonly spans: readonly TextSpan[];
  /** The tag around it, where there is one. */
  readonly tag?: string;
}

export interface FindCopiesOptions {
  readonly fileTools: FileToolTable;
  /** Beginnings, in lower case, of texts that are no content of a file, though they stand where it should. */
  readonly failureStarts: readonly string[];
  /** Messages that are not in view: neither do they hold copies nor count as newer ones. */
  readonly deletedRange?: DeletedRange;
}

type CopyInBlock = Omit<FileCopy, 'messageIndex' | 'blockIndex'>;

interface Scan extends FindCopiesOptions {
  readonly calls: Map<string, ToolUseBlock>;
}

/**
 * Finds every copy of a file in the conversation, oldest first: results of read tools, results of write tools that hold the
 * final content, and files that people mention. Failed and denied calls, cleared and already replaced results have none.
 * Pure. Makes one pass over the text of user messages.
 */
export function findFileCopies(
  messages: readonly Message[],
  options: FindCopiesOptions,
): FileCopy[] {
  const scan: Scan = { ...options, calls: new Map() };
  return messages.flatMap((message, messageIndex) => {
    if (message.role === 'assistant') noteCalls(message, scan);
    if (message.role !== 'user' || isDeleted(options.deletedRange, messageIndex)) return [];
    return copiesInMessage(message, scan).map((copy) => ({ messageIndex, ...copy }));
  });
}

function noteCalls(message: Message, { calls }: Scan): void {
  for (const block of message.content) if (block.type === 'tool_use') calls.set(block.id, block);
}

function copiesInMessage(message: Message, scan: Scan): Omit<FileCopy, 'messageIndex'>[] {
  let announced: string | undefined;
  return message.content.flatMap((block, blockIndex) => {
    const header = announced ?? '';
    announced = undefined;
    if (block.type === 'text') {
      if (isBareHeader(block)) announced = `${block.text.trimEnd()}\n`;
      return copiesInText(block.text, header, scan).map((copy) => ({ blockIndex, ...copy }));
    }
    if (block.type !== 'tool_result') return [];
    return copiesInResult(block, scan).map((copy) => ({ blockIndex, ...copy }));
  });
}

/** How much of the beginning and the end of a result may say which lines it shows, characters. */
const noticeSpan = 500;

/** `(Showing lines 1-1000 of 2000 total lines…)`: what a result itself says that it shows. */
const shownNotice = /\(Showing lines (\d{1,9})\s?(?:-|–|to)\s?(\d{1,9}) of (\d{1,9})/;

/** The lines that a result says it shows, where it says so. */
function linesTold(ends: string): LineRange | undefined {
  const told = shownNotice.exec(ends);
  if (told === null) return undefined;
  const [first, last, total] = told.slice(1).map(Number);
  if (first === undefined || last === undefined || last < first) return undefined;
  return first === 1 && last === total ? wholeFile : { first, last };
}

/** The use with the lines that the result says it shows. */
function asShown<Use extends FileUse>(use: Use, texts: readonly string[]): Use {
  const [start = ''] = texts;
  const end = texts.at(-1) ?? '';
  const lines = linesTold(`${start.slice(0, noticeSpan)}\n${end.slice(-noticeSpan)}`);
  return lines === undefined ? use : { ...use, lines };
}

/** Cline sends a header and the content it announces as one text or as two. */
function isBareHeader({ text }: TextBlock): boolean {
  const header = readToolHeader(text);
  return header !== undefined && text.slice(header.end).trim() === '';
}

function copiesInText(text: string, announced: string, scan: Scan): CopyInBlock[] {
  const header = readToolHeader(announced === '' ? text : announced);
  if (header === undefined) return tagged(text, mentionTags, { from: 0, scan });
  const use = fileUseOf({ name: header.toolName }, scan.fileTools);
  if (use === undefined) return [];
  const from = announced === '' ? header.end : 0;
  const spans = [{ start: from, end: contentEnd(text, from) }];
  const shown = asShown({ ...use, paths: [header.path] }, [text]);
  return copiesOfUse({ use: shown, texts: [text], spans, scan });
}

function copiesInResult(block: ToolResultBlock, scan: Scan): CopyInBlock[] {
  const parts = block.content.flatMap((part, partIndex) =>
    part.type === 'text' ? [{ text: part.text, partIndex }] : [],
  );
  const isAllText = parts.length > 0 && parts.length === block.content.length;
  if (block.isError === true || !isAllText) return [];
  const texts = parts.map(({ text }) => text);
  const header = readToolHeader(texts[0] ?? '');
  const use = useOfResult(scan.calls.get(block.toolUseId), header, scan);
  if (use === undefined) return [];
  const spans = parts.map(({ text, partIndex }) => {
    const start = partIndex === 0 ? (header?.end ?? 0) : 0;
    return { partIndex, start, end: contentEnd(text, start) };
  });
  return copiesOfUse({ use: asShown(use, texts), texts, spans, scan });
}

/** What the call did; without a call in view, and without a path in it, what the result's header says. */
function useOfResult(
  call: ToolUseBlock | undefined,
  header: ToolHeader | undefined,
  { fileTools }: Scan,
): FileUse | undefined {
  if (header === undefined) return call === undefined ? undefined : fileUseOf(call, fileTools);
  const use = fileUseOf(call ?? { name: header.toolName }, fileTools);
  return use?.paths.length === 0 ? { ...use, paths: [header.path] } : use;
}

interface UsedTexts {
  readonly use: FileUse;
  readonly texts: readonly string[];
  /** What of each text is content. */
  readonly spans: readonly TextSpan[];
  readonly scan: Scan;
}

function copiesOfUse({ use, texts, spans, scan }: UsedTexts): CopyInBlock[] {
  const bodies = texts.map((text, index) => text.slice(spans[index]?.start, spans[index]?.end));
  if (!isContent(bodies.join(''), scan)) return [];
  if (use.access !== 'read') {
    return texts.flatMap((text, index) => {
      const { start: from = 0, partIndex } = spans[index] ?? {};
      return tagged(text, use.contentTags, { from, scan, partIndex });
    });
  }
  const [path, ...others] = use.paths;
  // What a result shows of several files, only its tool can tell.
  if (path === undefined || others.length > 0) return [];
  const isClipped = use.clippedMarks.some((mark) => bodies.some((body) => body.includes(mark)));
  const shown = spans.filter(({ start, end }) => end > start);
  return [{ path, lines: isClipped ? 'unknown' : use.lines, spans: shown }];
}

interface TaggedOptions {
  readonly from: number;
  readonly scan: Scan;
  readonly partIndex?: number | undefined;
}

function tagged(
  text: string,
  names: readonly string[],
  { from, scan, partIndex }: TaggedOptions,
): CopyInBlock[] {
  const place = partIndex === undefined ? {} : { partIndex };
  return findFileTags(text, names)
    .filter((tag) => tag.start >= from && isContent(text.slice(tag.start, tag.end), scan))
    .map(({ name, path, start, end }) => {
      return { path, lines: wholeFile, tag: name, spans: [{ ...place, start, end }] };
    });
}

/** Whether a text can be what a file holds, and is not a refusal, an error or a notice. */
function isContent(text: string, { failureStarts }: Scan): boolean {
  const start = text.slice(0, 1000).trimStart().slice(0, 200).toLowerCase();
  if (start === '' || start.startsWith(noticeStart)) return false;
  return !failureStarts.some((words) => start.startsWith(words));
}

const reminder = { opening: '<system-reminder>', closing: '</system-reminder>' };

/** Where the content ends: what an agent appends for its model is none of the file's. */
function contentEnd(text: string, from: number): number {
  if (!text.trimEnd().endsWith(reminder.closing)) return text.length;
  const start = text.lastIndexOf(reminder.opening);
  return start >= from ? start : text.length;
}
