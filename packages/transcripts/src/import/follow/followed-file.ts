import { openTranscript } from '../../read-transcript.ts';
import {
  compareFile,
  type PositionTracker,
  readRange,
  trackPosition,
  withHandle,
} from '../files/open-file.ts';
import type { ImportSource } from '../import-source.ts';

/** A file that another program appends to, read as it grows. */
export interface FollowedFile extends ImportSource {
  readonly idle: () => Promise<void>;
  /**
   * Reads what was added. False where the file is no longer the one that was read: it was rotated, cut or written anew.
   * Only once the source is idle.
   */
  readonly wake: () => Promise<boolean>;
  /** Lets go of it. */
  readonly stop: () => void;
}

/** So many of the last bytes are compared before more is read: a file may be written anew in place. */
const comparedBytes = 4_096;

/** Most bytes that are read at once, before they are handed on. */
const maxBurst = 1_048_576;

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Reads a file from where it stopped. It is open only while bytes are read: hundreds of files may be followed. */
interface GrowingFile {
  /** The next bytes; none where there are none for now. */
  readonly read: () => Promise<readonly Uint8Array[]>;
  /** Whether it is still the file whose bytes were read. */
  readonly isSame: () => Promise<boolean>;
  readonly modifiedAt: () => number;
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}

async function openGrowing(path: string, tracker: PositionTracker): Promise<GrowingFile> {
  const first = await withHandle(path, async (_, { ino, mtimeMs }) => ({ ino, mtimeMs }));
  let modifiedAt = first.mtimeMs;
  let tail = Buffer.alloc(0);
  return {
    modifiedAt: () => modifiedAt,
    read: () =>
      withHandle(path, async (handle, { size, mtimeMs }) => {
        modifiedAt = mtimeMs;
        const { bytes } = tracker.position();
        const chunk = await joined(readRange(handle, bytes, Math.min(size, bytes + maxBurst)));
        if (chunk.length === 0) return [];
        tracker.add(chunk);
        tail = Buffer.from(
          Buffer.concat([tail, chunk.subarray(-comparedBytes)]).subarray(-comparedBytes),
        );
        return [chunk];
      }),
    isSame: () =>
      withHandle(path, async (handle, { ino, size }) => {
        const { bytes } = tracker.position();
        if (ino !== first.ino || size < bytes) return false;
        return tail.equals(await joined(readRange(handle, bytes - tail.length, bytes)));
      }),
  };
}

/**
 * Opens a log of lines that grows. A last line without an end waits for it. Memory: one burst of 1 MB, and what the
 * format keeps in mind.
 */
export async function followFile(path: string, format: string): Promise<FollowedFile> {
  const tracker = trackPosition(() => undefined);
  const file = await openGrowing(path, tracker);
  let isStopped = false;
  let woken = gate();
  let idled = gate();
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    while (!isStopped) {
      const read = await file.read();
      yield* read;
      if (read.length > 0) continue;
      yield new Uint8Array();
      idled.open();
      await woken.opened;
    }
    tracker.end();
  }
  const transcript = await openTranscript(chunks(), { format });
  return {
    path,
    format,
    get modifiedAt() {
      return file.modifiedAt();
    },
    events: transcript.events,
    receipt: transcript.receipt,
    position: tracker.position,
    compare: (known) => compareFile(path, known),
    idle: () => idled.opened,
    wake: async () => {
      if (!(await file.isSame())) return false;
      const before = woken;
      woken = gate();
      idled = gate();
      before.open();
      return true;
    },
    stop: () => {
      isStopped = true;
      woken.open();
    },
  };
}
