import { access, constants, lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CtxError, isCtxError } from '@ctx/core';
import type { ReadReceipt } from '../read-receipt.ts';
import { readTranscript } from '../read-transcript.ts';
import type { TranscriptEvent } from '../transcript.ts';
import { fileFailure, readPlain } from './files/open-file.ts';
import { idOfTranscript, readTraits } from './transcript-traits.ts';

/** How a file is read. */
export interface ReadFileOptions {
  /** How errors name the file. Default: its name without folders. */
  readonly name?: string;
  /** Name of a format. Default: told from the content. */
  readonly format?: string;
  /** Is called with the bytes as they are read. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/** A transcript that was read from a file. */
export interface TranscriptFile {
  /** The id that an import gives the session: the one that the transcript names, else one of the file's name and the first record. */
  readonly sessionId: string;
  readonly events: readonly TranscriptEvent[];
  readonly receipt: ReadReceipt;
}

/**
 * Reads a file with a transcript.
 * @throws `CTX_TRANSCRIPT_UNKNOWN_FORMAT` naming the file, `CTX_INVALID_FILE` for a folder, and the codes of the file.
 */
export async function readTranscriptFile(
  path: string,
  { name = basename(path), format, onChunk }: ReadFileOptions = {},
): Promise<TranscriptFile> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isDirectory() === true) {
    await access(path, constants.R_OK).catch((error: unknown) => {
      throw fileFailure(error, path);
    });
    throw new CtxError('CTX_INVALID_FILE', `${name} is a folder; name a file in it`);
  }
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of readPlain(path)) {
      onChunk?.(chunk);
      yield chunk;
    }
  }
  const given = format === undefined ? {} : { format };
  const source = chunks();
  const read = naming(name, () => readTranscript(source, given));
  // A format that cannot be told leaves the rest of the file unread.
  const { events, receipt } = await read.finally(() => source.return());
  const reader = readTraits();
  for (const event of events) reader.add(event);
  return { sessionId: idOfTranscript({ ...reader.traits(), path }), events, receipt };
}

/** Does `work`; an error about an unknown format names the file. */
async function naming<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT') || error.message.startsWith(name)) {
      throw error;
    }
    throw new CtxError(error.code, `${name}: ${error.message}`, { cause: error.cause });
  }
}
