import type { ContextStore } from '@ctx/store';
import { type OpenTranscript, openTranscript } from '../read-transcript.ts';
import { trackPosition } from './files/open-file.ts';
import type { ImportEntry } from './import-entry.ts';
import type { FileSourceOptions, ImportSource } from './import-source.ts';
import { importSource } from './import-transcript.ts';
import { type ImportOptions, startSessionImport } from './session-import.ts';

/** A transcript in memory. `name` tells imports of the same transcript apart from those of others, as a path does for files. */
export interface TranscriptBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const chunkBytes = 256 * 1024;

function sourceOf({ name, bytes }: TranscriptBytes, open: OpenBytes): ImportSource {
  return {
    path: name,
    format: open.transcript.format.name,
    events: open.transcript.events,
    receipt: open.transcript.receipt,
    position: open.position,
    compare: async (known) => {
      if (known.bytes > bytes.length) return 'other';
      const read = trackPosition(() => undefined);
      read.add(bytes.subarray(0, known.bytes));
      if (read.position().sha256() !== known.sha256) return 'other';
      return known.bytes === bytes.length ? 'same' : 'grown';
    },
  };
}

interface OpenBytes {
  readonly transcript: OpenTranscript;
  readonly position: ImportSource['position'];
}

async function openBytes(
  bytes: Uint8Array,
  { format, onBytes }: FileSourceOptions,
): Promise<OpenBytes> {
  const { add, end, position } = trackPosition((read) => onBytes?.(read, bytes.length));
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let from = 0; from < bytes.length; from += chunkBytes) {
      const chunk = bytes.subarray(from, from + chunkBytes);
      add(chunk);
      yield chunk;
    }
    end();
  }
  const transcript = await openTranscript(chunks(), format === undefined ? {} : { format });
  return { transcript, position };
}

/**
 * Imports a transcript that is in memory as one session, as {@link importTranscript} imports a file.
 * @throws `CTX_TRANSCRIPT_UNKNOWN_FORMAT`, `CTX_ABORTED`, `CTX_STORE_CONFLICT`, and the codes of the store.
 */
export async function importBytes(
  store: ContextStore,
  transcript: TranscriptBytes,
  options: ImportOptions & FileSourceOptions,
): Promise<ImportEntry> {
  for (;;) {
    const source = sourceOf(transcript, await openBytes(transcript.bytes, options));
    const done = await importSource(store, await startSessionImport(source, options), options);
    if (done !== undefined) return done;
  }
}
