import type { Buffer } from 'node:buffer';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Bodies larger than this are passed on unread, bytes, before and after decoding. */
export const maxBodyBytes = 64 * 1024 * 1024;

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

interface Coding {
  readonly decode: Decode;
  readonly stream: () => Transform;
}

/** What newer versions of Node have. */
interface ModernZlib {
  readonly zstdDecompress: typeof zlib.brotliDecompress;
  readonly createZstdDecompress: () => Transform;
}

function hasZstd(module: object): module is ModernZlib {
  return 'zstdDecompress' in module && 'createZstdDecompress' in module;
}

/** The coding of Node 22.15 and newer; older ones have none: such bodies are passed on unread. */
function zstdOf(module: object): Readonly<Record<string, Coding>> {
  if (!hasZstd(module)) return {};
  const decode = promisify(module.zstdDecompress);
  return { zstd: { decode, stream: () => module.createZstdDecompress() } };
}

const codings: Readonly<Record<string, Coding>> = {
  gzip: { decode: promisify(zlib.gunzip), stream: () => zlib.createGunzip() },
  deflate: { decode: promisify(zlib.inflate), stream: () => zlib.createInflate() },
  br: { decode: promisify(zlib.brotliDecompress), stream: () => zlib.createBrotliDecompress() },
  ...zstdOf(zlib),
};

const isPlain = (coding: string | undefined): boolean =>
  coding === undefined || coding === '' || coding === 'identity';

/** The bytes of a body without its encoding; `undefined` if it cannot be read, or is larger than is read. */
export async function decoded(
  bytes: Uint8Array,
  coding: string | undefined,
): Promise<Uint8Array | undefined> {
  if (isPlain(coding)) return bytes;
  try {
    const known = codings[coding?.toLowerCase() ?? ''];
    return await known?.decode(bytes, { maxOutputLength: maxBodyBytes });
  } catch {
    return undefined;
  }
}

/** What to say of a body that cannot be read. */
export function unreadable(what: 'a request' | 'an answer', coding: string | undefined): string {
  const isNew = coding?.toLowerCase() === 'zstd' && !hasZstd(zlib);
  const why = isNew ? 'which Node.js reads from version 22.15 on' : 'which could not be read';
  return `${what} is encoded as ${coding ?? 'nothing'}, ${why}: it is passed on as it came`;
}

/** What to say of a body that is larger than is read. */
export const tooLarge = 'a request is larger than 64 MB: it is passed on as it came';

/** Reads the bytes of an answer without its encoding while they pass. */
export interface Tap {
  write(chunk: Uint8Array): void;
  /** All has passed; `read`: resolves when the reader has it, too. */
  end(read?: Promise<void>): Promise<void>;
  /** Told why nothing will be written. */
  readonly unread?: (why: string) => void;
}

/** Hands what passes to a reader, decoded. An answer that cannot be decoded is not read, and passes all the same. */
export function tapOf(reader: Tap, coding: string | undefined): Tap {
  if (isPlain(coding)) return reader;
  const stream = codings[coding?.toLowerCase() ?? '']?.stream();
  if (stream === undefined) {
    reader.unread?.(unreadable('an answer', coding));
    return { write: () => undefined, end: () => Promise.resolve() };
  }
  stream.on('data', (chunk: Buffer) => {
    reader.write(chunk);
  });
  const done = new Promise<void>((resolve) => {
    stream.on('error', resolve);
    stream.on('end', resolve);
  });
  return {
    write: (chunk) => {
      if (!stream.destroyed) stream.write(chunk);
    },
    end: () => {
      stream.end();
      return reader.end(done);
    },
  };
}
