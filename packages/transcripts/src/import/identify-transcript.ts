import { basename, dirname } from 'node:path';
import { CtxError, cutText } from '@ctx/core';
import type { ReadReceipt } from '../read-receipt.ts';
import { openTranscript } from '../read-transcript.ts';
import { type OpenedFile, withFile } from './files/open-file.ts';
import { readTraits, type TranscriptTraits } from './transcript-traits.ts';

/** What a first reading of a transcript tells. */
export interface TranscriptIdentity extends TranscriptTraits {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 (hex) of the file. */
  readonly fingerprint: string;
  readonly receipt: ReadReceipt;
}

/** How a transcript is read. */
export interface IdentifyOptions {
  /** Name of a format. Default: told from the content. */
  readonly format?: string;
  readonly onBytes?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Reads a transcript once to learn what it is. Cost: one pass; memory of its longest record. */
export async function identifyTranscript(
  path: string,
  { format, onBytes, signal }: IdentifyOptions = {},
): Promise<TranscriptIdentity> {
  const identify = async (file: OpenedFile): Promise<TranscriptIdentity> => {
    const transcript = await openTranscript(file.chunks, format === undefined ? {} : { format });
    const reader = readTraits();
    for await (const event of transcript.events) {
      if (signal?.aborted === true) {
        throw new CtxError('CTX_ABORTED', `reading ${path} was stopped`);
      }
      reader.add(event);
    }
    const { sizeBytes } = file;
    const fingerprint = file.position().sha256();
    return { path, sizeBytes, fingerprint, ...reader.traits(), receipt: transcript.receipt() };
  };
  return withFile(path, identify, onBytes);
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
