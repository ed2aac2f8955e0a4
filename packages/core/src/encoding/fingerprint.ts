/// <reference lib="es2024.string" />

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, canonicalJsonOfEncoded } from './canonical-json.ts';
import type { EncodedValue } from './encoded-value.ts';

/** The part of the host's SHA-256 that is used. */
interface HostCrypto {
  createHash(algorithm: 'sha256'): {
    update(content: string | Uint8Array): { digest(encoding: 'hex'): string };
  };
  /** One-shot hash, from Node 20.12. */
  hash?(algorithm: 'sha256', content: string | Uint8Array): string;
}

/** Prefix of ill-formed text. No UTF-8 text begins with this byte, so the two never collide. */
const illFormedMark = 0xff;

const nodeCrypto: HostCrypto | undefined = findNodeCrypto();

/**
 * Returns the SHA-256 (hex) of a value's canonical JSON: equal for equal values whatever the order of their keys, on every host.
 */
export function fingerprint(value: unknown): string {
  return fingerprintText(canonicalJson(value));
}

/** Does the same for a value that is already encoded: `fingerprint(v)` is `fingerprintOfEncoded(encodeValue(v))`. */
export function fingerprintOfEncoded(encoded: EncodedValue): string {
  return fingerprintText(canonicalJsonOfEncoded(encoded));
}

/**
 * Returns the SHA-256 (hex) of a text's UTF-8 bytes, or of bytes, as `sha256sum` does. Text with lone surrogates has no UTF-8: its code
 * units are hashed after a prefix, so that it never equals a text with U+FFFD in their place.
 */
export function fingerprintText(text: string | Uint8Array): string {
  return fingerprintWith(nodeCrypto, text);
}

/** Does the same with a given implementation; `undefined` is the portable one. Both return equal results. */
export function fingerprintWith(crypto: HostCrypto | undefined, text: string | Uint8Array): string {
  const isIllFormed = typeof text === 'string' && !text.isWellFormed();
  const content = isIllFormed ? bytesOfIllFormed(text) : text;
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

/** Asks Node for its module without an import, so that a browser bundle does not contain it. */
function findNodeCrypto(): HostCrypto | undefined {
  const host: { process?: { getBuiltinModule?: (id: 'node:crypto') => HostCrypto } } = globalThis;
  return host.process?.getBuiltinModule?.('node:crypto');
}
