/** A file as a look at a folder shows it. */
export interface MemoryEntry {
  readonly path: string;
  readonly bytes: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A file with its text. */
export interface MemoryFile extends MemoryEntry {
  readonly text: string;
}

/** How much a memory holds. */
export interface MemoryUse {
  readonly files: number;
  readonly bytes: number;
  /** Changes so far. */
  readonly changes: number;
}

/** What became of one file. */
export interface MemoryFileChange {
  readonly path: string;
  /** Its text from now on; `undefined` where it is gone. */
  readonly text: string | undefined;
  /** The file before; `undefined` where there was none. */
  readonly before: MemoryFile | undefined;
  /** Where its text went. */
  readonly movedTo?: string;
}

const utf8 = new TextEncoder();

/** Bytes of a text, UTF-8. */
export function bytesOfFiles(text: string): number {
  return utf8.encode(text).length;
}
