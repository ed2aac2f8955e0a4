import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, canonicalJsonOfEncoded } from './canonical-json.ts';
import type { EncodedValue } from './encoded-value.ts';
import { isWellFormed } from '../text/well-formed.ts';

/** What is used of a host's own SHA-256. */
interface HostCrypto {
  createHash(algorithm: 'sha256'): {
    update(content: string | Uint8Array): { digest(encoding: 'hex'): string };
  };
  /** In one call, from Node 20.12 on. */
  hash?(algorithm: 'sha256', content: string | Uint8Array): string;
}

/** Stands before ill-formed text. No UTF-8 text begins with this byte, so the two can never be equal. */
const illFormedMark = 0xff;

const nodeCrypto: HostCrypto | undefined = findNodeCrypto();

/**
 * Gives the SHA-256 (hex) of a value's canonical JSON.
 * Contract: equal values have equal fingerprints whatever the order of their keys, in any process and any host.
 */
export function fingerprint(value: unknown): string {
  return fingerprintText(canonicalJson(value));
}

/** The same for a value that is encoded already: `fingerprint(v)` is `fingerprintOfEncoded(encodeValue(v))`. */
export function fingerprintOfEncoded(encoded: EncodedValue): string {
  return fingerprintText(canonicalJsonOfEncoded(encoded));
}

/**
 * Gives the SHA-256 (hex) of a text's UTF-8 bytes, as `sha256sum` does. Text with lone surrogates has no UTF-8: it is
 * hashed by its code units under a mark of its own, so that it never equals a text with U+FFFD in their place.
 */
export function fingerprintText(text: string): string {
  return fingerprintWith(nodeCrypto, text);
}

/** Gives the SHA-256 (hex) of bytes, as `sha256sum` does. Exported: @ctx/transcripts names the records of a file by it. */
export function fingerprintBytes(bytes: Uint8Array): string {
  if (nodeCrypto) return hashWith(nodeCrypto, bytes);
  return bytesToHex(sha256(bytes));
}

/** The same with a given implementation; `undefined` means the portable one. Both give equal results. */
export function fingerprintWith(crypto: HostCrypto | undefined, text: string): string {
  const content = isWellFormed(text) ? text : bytesOfIllFormed(text);
  if (crypto) return hashWith(crypto, content);
  return bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content));
}

function hashWith(crypto: HostCrypto, content: string | Uint8Array): string {
  return (
    crypto.hash?.('sha256', content) ?? crypto.createHash('sha256').update(content).digest('hex')
  );
}

function bytesOfIllFormed(text: string): Uint8Array {
  const bytes = new Uint8Array(1 + text.length * 2);
  bytes[0] = illFormedMark;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    bytes[1 + index * 2] = unit >> 8;
    bytes[2 + index * 2] = unit & 0xff;
  }
  return bytes;
}

/** Node lends its modules without an import, so that a bundle for browsers stays free of it. */
function findNodeCrypto(): HostCrypto | undefined {
  const host: { process?: { getBuiltinModule?: (id: 'node:crypto') => HostCrypto } } = globalThis;
  return host.process?.getBuiltinModule?.('node:crypto');
}
