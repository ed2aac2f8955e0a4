import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** So much of the end of a session's file is looked at, bytes. */
const tailBytes = 64 * 1024;

const sign = '"version":"';

/** The end of a file; empty where there is none that may be read. Links are not followed. */
function tailOf(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) return '';
    const buffer = Buffer.alloc(Math.min(tailBytes, stats.size));
    const read = readSync(file, buffer, 0, buffer.length, stats.size - buffer.length);
    return buffer.subarray(0, read).toString('latin1');
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * The version of Claude Code that wrote the newest records of a session's file; `undefined` where it does not say. A text in the file
 * that looks the same may be taken for it: all that hangs on it is whether an answer is passed over.
 */
export function hostVersionOf(transcriptPath: string | undefined): string | undefined {
  if (transcriptPath === undefined) return undefined;
  const tail = tailOf(transcriptPath);
  const at = tail.lastIndexOf(sign);
  const found = at < 0 ? '' : tail.slice(at + sign.length, at + sign.length + 20);
  const end = found.indexOf('"');
  const version = end < 0 ? '' : found.slice(0, end);
  return /^\d{1,4}\.\d{1,4}\.\d{1,6}$/.test(version) ? version : undefined;
}
