import { closeSync, constants, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Up to this size reading at once takes less time than asking another thread to, bytes. Source: measured, four times less at 40 KB. */
const atOnceBytes = 256 * 1024;

/** Takes in one file after the other: new memory for each would cost as much as the reading. */
let shared: Buffer | undefined;

/**
 * Undefined where the file is longer than what is read at once. Another read tells the end, which costs less than asking for the
 * size: what is no ordinary file gives nothing, an error, or what no decoder takes for a record.
 */
function readAtOnce(file: number): Buffer | undefined {
  shared ??= Buffer.allocUnsafeSlow(atOnceBytes + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, shared, length, shared.length - length, length);
    length += count;
    if (length > atOnceBytes) return undefined;
    if (count === 0) return shared.subarray(0, length);
  }
}

/** Does not follow a link, nor wait for a writer of a pipe. Windows knows neither. */
export const readOnly: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readSmall(path: string): Buffer | undefined {
  const file = openSync(path, readOnly);
  try {
    return readAtOnce(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a whole file and gives what `decode` makes of its bytes; long ones without blocking the event loop.
 * The bytes are those of another file as soon as `decode` has returned. Throws what the system throws: `ELOOP` for a link.
 */
export async function readWhole<T>(path: string, decode: (bytes: Buffer) => T): Promise<T> {
  return decode(readSmall(path) ?? (await readFile(path, { flag: readOnly })));
}

/**
 * Gives what `decode` makes of the bytes that one read gives: whoever knows from them that they are whole need not look for the end.
 * As that of {@link readWhole}.
 */
export function readOnce<T>(path: string, decode: (bytes: Buffer) => T): T {
  shared ??= Buffer.allocUnsafeSlow(atOnceBytes + 1);
  const file = openSync(path, readOnly);
  try {
    return decode(shared.subarray(0, readSync(file, shared, 0, shared.length, 0)));
  } finally {
    closeSync(file);
  }
}
