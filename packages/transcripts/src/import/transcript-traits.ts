import { basename, dirname } from 'node:path';
import { cutText, type Message } from '@ctx/core';
import type { TranscriptEvent } from '../transcript.ts';

/** What tells one transcript from another. */
export interface TranscriptTraits {
  /** The id that the transcript gives itself. */
  readonly declaredId?: string;
  /** First words of the first prompt. */
  readonly title?: string;
  /** SHA-256 (hex) of the first record: what stays when a transcript grows. */
  readonly firstRecord: string;
}

/** Looks out for the traits. */
export interface TraitReader {
  readonly add: (event: TranscriptEvent) => void;
  readonly traits: () => TranscriptTraits;
}

const idFields = new Set(['id', 'session_id', 'sessionId', 'trace_id']);
const maxTitle = 100;
const maxId = 200;

/** Starts with the first event. */
export function readTraits(): TraitReader {
  let declaredId: string | undefined;
  let title: string | undefined;
  let wrapped: string | undefined;
  let firstRecord: string | undefined;
  return {
    add: (event) => {
      firstRecord ??= event.source.sha256;
      declaredId ??= idIn(event);
      const prompt = title === undefined ? promptIn(event) : undefined;
      // What a tool wraps in tags, or a command, says less of the task than what the user wrote.
      if (prompt !== undefined && isAside(prompt)) wrapped ??= prompt;
      else title ??= prompt;
    },
    traits: () => {
      const named = title ?? wrapped;
      return {
        ...(declaredId === undefined ? {} : { declaredId }),
        ...(named === undefined ? {} : { title: named }),
        firstRecord: firstRecord ?? '',
      };
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxId ? value : undefined;
}

/** The id that the format found, in a field of the document, or on a line of a log. */
function idIn({ extra }: TranscriptEvent): string | undefined {
  return textOf(extra?.['sessionId']) ?? idOfField(extra) ?? idOfRecord(extra);
}

function idOfField(extra: TranscriptEvent['extra']): string | undefined {
  const field = extra?.['field'];
  return typeof field === 'string' && idFields.has(field) ? textOf(extra?.['value']) : undefined;
}

function idOfRecord(extra: TranscriptEvent['extra']): string | undefined {
  const record = extra?.['record'];
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, 'sessionId'))
    return undefined;
  return textOf(Reflect.get(record, 'sessionId'));
}

/** The first line of what a user asked; with the second if the first only announces it. */
function promptIn({ message, flags }: TranscriptEvent): string | undefined {
  if (message?.role !== 'user' || flags?.scaffold === true || flags?.summary === true)
    return undefined;
  return firstLine(message);
}

function isAside(prompt: string): boolean {
  return prompt.startsWith('<') || /^\/[\w:-]+(?: |$)/.test(prompt);
}

function textBetween(text: string, start: string, end: string): string {
  const [, rest = ''] = text.split(start, 2);
  return rest.split(end, 1)[0]?.trim() ?? '';
}

/** The text without the tags that Claude Code puts around a command and its arguments. */
function withoutTags(text: string): string {
  const name = textBetween(text, '<command-name>', '</command-name>');
  if (name === '') return text;
  return `${name} ${textBetween(text, '<command-args>', '</command-args>')}`;
}

/** Cuts a line that is too long for a title, and shows that. */
function asTitle(line: string): string {
  if (line.length <= maxTitle) return line;
  return `${cutText(line, { maxCharacters: maxTitle - 2 }).trimEnd()} …`;
}

function firstLine({ content }: Message): string | undefined {
  for (const block of content) {
    if (block.type !== 'text') continue;
    const lines = withoutTags(block.text.slice(0, 10_000))
      .split('\n')
      .map((line) => line.trim());
    const [first, second = ''] = lines.filter((line) => line !== '');
    if (first === undefined) continue;
    // "Implement the following plan:" begins many sessions: what follows tells them apart.
    return asTitle(first.endsWith(':') ? `${first} ${second}`.trim() : first);
  }
  return undefined;
}

/** Names that say nothing: the folder around them is the task. */
const sideNames = new Set(['api_conversation_history.json', 'ui_messages.json']);

/** The id of a session that its transcript does not name: from the name of the file and the first record, so that it may grow. */
export function idOfTranscript({
  declaredId,
  path,
  firstRecord,
}: TranscriptTraits & { readonly path: string }): string {
  if (declaredId !== undefined) return declaredId;
  const own = basename(path);
  if (sideNames.has(own)) return cutText(basename(dirname(path)), { maxCharacters: 80 });
  const name = cutText(own.replace(/\.[A-Za-z0-9]{1,8}$/, ''), { maxCharacters: 80 });
  return `${name === '' ? 'session' : name}-${firstRecord.slice(0, 8)}`;
}
