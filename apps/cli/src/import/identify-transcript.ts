import { basename } from 'node:path';
import { CtxError, type Message } from '@ctx/core';
import { openTranscript, type ReadReceipt, type TranscriptEvent } from '@ctx/transcripts';
import { cutAt } from '../visible-text.ts';
import { type OpenedFile, withFile } from './open-file.ts';

/** What a first reading of a transcript tells. */
export interface TranscriptIdentity {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 (hex) of the file. */
  readonly fingerprint: string;
  /** The id that the transcript gives itself. */
  readonly declaredId?: string;
  /** First words of the first prompt. */
  readonly title?: string;
  readonly receipt: ReadReceipt;
}

/** How a transcript is read. */
export interface IdentifyOptions {
  /** Name of a format. Default: told from the content. */
  readonly format?: string;
  readonly onBytes?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

const idFields = new Set(['id', 'session_id', 'sessionId', 'trace_id']);
const maxTitle = 100;
const maxId = 200;

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

/** The first line of what a user asked. */
function promptIn({ message, flags }: TranscriptEvent): string | undefined {
  if (message?.role !== 'user' || flags?.scaffold === true || flags?.summary === true)
    return undefined;
  return firstLine(message);
}

function firstLine({ content }: Message): string | undefined {
  for (const block of content) {
    if (block.type !== 'text') continue;
    const line = block.text
      .slice(0, 10_000)
      .split('\n')
      .find((candidate) => candidate.trim() !== '');
    if (line !== undefined) return cutAt(line.trim(), maxTitle);
  }
  return undefined;
}

/** Reads a transcript once to learn what it is. Cost: one pass; memory of its longest record. */
export async function identifyTranscript(
  path: string,
  { format, onBytes, signal }: IdentifyOptions = {},
): Promise<TranscriptIdentity> {
  const identify = async (file: OpenedFile): Promise<TranscriptIdentity> => {
    const transcript = await openTranscript(file.chunks, format === undefined ? {} : { format });
    let declaredId: string | undefined;
    let title: string | undefined;
    for await (const event of transcript.events) {
      if (signal?.aborted === true) {
        throw new CtxError('CTX_ABORTED', `reading ${path} was stopped`);
      }
      declaredId ??= idIn(event);
      title ??= promptIn(event);
    }
    return {
      path,
      sizeBytes: file.sizeBytes,
      fingerprint: file.sha256(),
      ...(declaredId === undefined ? {} : { declaredId }),
      ...(title === undefined ? {} : { title }),
      receipt: transcript.receipt(),
    };
  };
  return withFile(path, identify, onBytes);
}

/** The id that a session gets where the transcript does not name one: from file name and content. */
export function idOfTranscript({ declaredId, path, fingerprint }: TranscriptIdentity): string {
  if (declaredId !== undefined) return declaredId;
  const name = cutAt(basename(path).replace(/\.[A-Za-z0-9]{1,8}$/, ''), 80);
  return `${name === '' ? 'session' : name}-${fingerprint.slice(0, 8)}`;
}
