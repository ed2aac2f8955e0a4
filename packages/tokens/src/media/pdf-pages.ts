import { nodeModule } from '../node-module.ts';
import { bytesOfBase64 } from './image-size.ts';

/** How much of a PDF is looked at, bytes: what providers accept in one request. */
const maxFileBytes = 32 * 1024 * 1024;
/** How much is unpacked in all, bytes, so that a small file cannot grow without end. */
const maxUnpackedBytes = 16 * 1024 * 1024;
/** Most pages that any answer names. */
const maxPages = 10_000;

/**
 * Counts the pages of a PDF without reading it as a document.
 * Never throws. Returns `undefined` if it is not a PDF, shows no page (an encrypted one may not), or the host is not Node.
 * Reads at most 32 MiB, and unpacks at most 16 MiB of object streams.
 */
export function pdfPages(pdf: Uint8Array | string): number | undefined {
  if (!('Buffer' in globalThis)) return undefined;
  const bytes =
    typeof pdf === 'string' ? bytesOfBase64(pdf, maxFileBytes) : pdf.subarray(0, maxFileBytes);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.subarray(0, 1024).indexOf('%PDF-') < 0) return undefined;
  const pages = pagesIn(file) + pagesInObjectStreams(file);
  const count = pages > 0 ? pages : declaredPages(file);
  return count === undefined ? undefined : Math.min(maxPages, count);
}

/** How many `/Type /Page` stand in these bytes; `/Pages` and other longer names do not count. */
function pagesIn(bytes: Buffer): number {
  let pages = 0;
  for (let at = bytes.indexOf('/Type'); at >= 0; at = bytes.indexOf('/Type', at + 5)) {
    const rest = bytes.toString('latin1', at + 5, at + 32).trimStart();
    if (rest.startsWith('/Page') && !/^[A-Za-z0-9]/.test(rest.slice(5, 6))) pages += 1;
  }
  return pages;
}

/** Files since PDF 1.5 mostly keep their page objects in packed streams. */
function pagesInObjectStreams(file: Buffer): number {
  let pages = 0;
  let left = maxUnpackedBytes;
  let at = file.indexOf('/ObjStm');
  while (at >= 0 && left > 0) {
    const start = bodyStart(file, at);
    const end = start === undefined ? -1 : file.indexOf('endstream', start);
    if (start === undefined || end < 0) return pages;
    const body = unpack(file.subarray(start, end), left);
    pages += pagesIn(body);
    left -= Math.max(body.length, end - start);
    at = file.indexOf('/ObjStm', end);
  }
  return pages;
}

/** Where the stream of the dictionary at `at` begins: after `stream` and its line end, within 2 KiB. */
function bodyStart(file: Buffer, at: number): number | undefined {
  const found = file.subarray(at, at + 2048).indexOf('stream');
  if (found < 0) return undefined;
  const behind = at + found + 'stream'.length;
  if (file[behind] === 0x0d) return behind + 2;
  return file[behind] === 0x0a ? behind + 1 : behind;
}

/** Unpacks a stream, or gives nothing where it is damaged, encrypted or larger than `limitBytes`. */
function unpack(body: Buffer, limitBytes: number): Buffer {
  try {
    const unpacked = nodeModule('node:zlib')?.inflateSync(body, { maxOutputLength: limitBytes });
    return unpacked ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

/** What a linearised file says of itself, else the largest count of a page tree. */
function declaredPages(file: Buffer): number | undefined {
  const linearised = file.subarray(0, 2048).indexOf('/Linearized');
  const own = linearised < 0 ? undefined : numberAfter(file, linearised, '/N');
  return own ?? largestCount(file);
}

function largestCount(file: Buffer): number | undefined {
  let largest: number | undefined;
  for (let at = file.indexOf('/Pages'); at >= 0; at = file.indexOf('/Pages', at + 6)) {
    const count = numberAfter(file, at, '/Count');
    if (count !== undefined && count > (largest ?? 0)) largest = count;
  }
  return largest;
}

/** The whole number after `name`, within 256 bytes of `at`. */
function numberAfter(file: Buffer, at: number, name: string): number | undefined {
  const text = file.toString('latin1', at, at + 256);
  for (let found = text.indexOf(name); found >= 0; found = text.indexOf(name, found + 1)) {
    const digits = /^\s*(\d{1,7})/.exec(text.slice(found + name.length))?.[1];
    if (digits !== undefined && Number(digits) > 0) return Number(digits);
  }
  return undefined;
}
