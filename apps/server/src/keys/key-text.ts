/** The two parts of a key's text. */
export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

/** Gives that many random bytes. Handed in, so that a test can foretell keys. */
export type RandomBytes = (count: number) => Uint8Array;

/** The platform's secure random numbers. */
export const secureRandom: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

const idBytes = 8;
/** 256 random bits need no slow hash. */
const secretBytes = 32;
const textStart = 'ctx_';
/** Longest text that is looked at. */
const maxTextLength = 128;

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64UrlOf(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Makes the parts of a new key. */
export function newKeyParts(random: RandomBytes): KeyParts {
  return { id: hexOf(random(idBytes)), secret: base64UrlOf(random(secretBytes)) };
}

/** The text that a caller sends: `ctx_<id>_<secret>`. */
export function keyTextOf({ id, secret }: KeyParts): string {
  return `${textStart}${id}_${secret}`;
}

/** Takes a key's text apart; `undefined` for what cannot be one. Takes time linear in at most 128 characters, whatever is given. */
export function keyPartsOf(text: string): KeyParts | undefined {
  if (text.length > maxTextLength || !text.startsWith(textStart)) return undefined;
  const rest = text.slice(textStart.length);
  const end = rest.indexOf('_');
  const parts = { id: rest.slice(0, end), secret: rest.slice(end + 1) };
  const isKey = /^[0-9a-f]{16}$/.test(parts.id) && /^[A-Za-z0-9_-]{43}$/.test(parts.secret);
  return isKey ? parts : undefined;
}

/** Compares two hashes of equal length in a time that does not depend on where they differ. */
export function equalHashes(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  }
  return difference === 0;
}
