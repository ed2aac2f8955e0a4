import type { ReadReceipt } from '../read-receipt.ts';
import { openTranscript } from '../read-transcript.ts';
import type { TranscriptEvent, TranscriptFormat } from '../transcript.ts';
import {
  compareFile,
  type FileChange,
  type OpenedFile,
  type SourcePosition,
  withFile,
} from './files/open-file.ts';

/** What is known of a transcript while it is imported: of a file, a folder or a session of a database. */
export interface SourceFacts {
  readonly path: string;
  readonly format: string;
  /** ms since the epoch. */
  readonly modifiedAt?: number;
  /** Tells whether what is read from other files beside this one is as it was. Present where there is any. */
  readonly beside?: string;
  readonly receipt: () => ReadReceipt;
  readonly position: () => SourcePosition;
  /** Compares what is there now with what was read once. */
  readonly compare: (read: {
    readonly bytes: number;
    readonly sha256: string;
  }) => Promise<FileChange>;
  /** Present where more may come: resolves once all that is there now was read. */
  readonly idle?: () => Promise<void>;
}

/** A transcript that is about to be imported. */
export interface ImportSource extends SourceFacts {
  /** The log, in order. Can be read once. */
  readonly events: AsyncIterable<TranscriptEvent>;
}

/** How a file is opened as a source. */
export interface FileSourceOptions {
  /** A format or its name. Default: told from the content. */
  readonly format?: string | TranscriptFormat;
  readonly onBytes?: (bytes: number, sizeBytes: number) => void;
}

/** A file that became shorter while it was read is named in the receipt. */
function withChange(receipt: ReadReceipt, { position, sizeBytes }: OpenedFile): ReadReceipt {
  const { bytes, hasEnded } = position();
  if (!hasEnded || bytes === sizeBytes) return receipt;
  return { ...receipt, notes: { ...receipt.notes, changedWhileReading: 1 } };
}

/**
 * Opens a file, lends it to `work` and closes it.
 * @throws as `withFile`, and `CTX_TRANSCRIPT_UNKNOWN_FORMAT`.
 */
export async function withFileSource<T>(
  path: string,
  { format, onBytes }: FileSourceOptions,
  work: (source: ImportSource) => Promise<T>,
): Promise<T> {
  let size = 0;
  const read = async (file: OpenedFile): Promise<T> => {
    size = file.sizeBytes;
    const transcript = await openTranscript(file.chunks, format === undefined ? {} : { format });
    return work({
      path,
      format: transcript.format.name,
      modifiedAt: file.modifiedAt,
      events: transcript.events,
      receipt: () => withChange(transcript.receipt(), file),
      position: file.position,
      compare: (known) => compareFile(path, known),
    });
  };
  return withFile(path, read, (bytes) => onBytes?.(bytes, size));
}
