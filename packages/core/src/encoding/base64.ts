/** Characters handed to `String.fromCharCode` at once; more arguments may overflow the stack. */
const chunkBytes = 0x8000;

/** Node's Buffer, which is faster. Browsers have none. */
interface BufferHost {
  readonly Buffer?: {
    from(
      bytes: ArrayBufferLike,
      offset: number,
      length: number,
    ): { toString(encoding: 'base64'): string };
    from(text: string, encoding: 'base64'): Uint8Array;
  };
}

/**
 * Encodes bytes as base64 with padding. Tests pass a `host` without `Buffer` to exercise the web platform.
 */
export function toBase64(bytes: Uint8Array, host: BufferHost = globalThis): string {
  if (host.Buffer) {
    return host.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    parts.push(String.fromCharCode(...bytes.subarray(start, start + chunkBytes)));
  }
  return btoa(parts.join(''));
}

/** Decodes base64; returns `undefined` if the text is not base64. */
export function fromBase64(text: string, host: BufferHost = globalThis): Uint8Array | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = (text.length / 4) * 3 - padding;
  if (text.length % 4 !== 0) return undefined;
  const bytes = host.Buffer ? Uint8Array.from(host.Buffer.from(text, 'base64')) : fromAtob(text);
  return bytes?.length === length ? bytes : undefined;
}

function fromAtob(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
