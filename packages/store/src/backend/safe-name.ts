import { fingerprintText } from '@ctx/core/encoding';

/** Longest name, in bytes (all names are ASCII). Leaves room for an extension and a temporary ending below 255. */
const maxBytes = 120;
/** Hexadecimal digits of the SHA-256 in a name that had to be shortened: 128 bits. */
const hashDigits = 32;
/** What the empty id is called. No escape begins like this. */
const emptyName = '=empty';
/** What does not stay as it is, by UTF-16 unit. */
const changingSigns = /[^a-z0-9_-]|^-/g;
/** Windows keeps these for devices, with any extension. */
const reservedNames = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * Returns a file name for an id. Lower-case letters, digits, `_` and `-` stay; a capital becomes `+` and its small letter
 * (`readFile` → `read+file`); any other character becomes `=` and its code (`=2e`, `=u00e4`). A long name is cut and ends in
 * `~` and part of the id's SHA-256.
 *
 * Different ids have different names even if the file system ignores case or normalises Unicode. A name has at most 120
 * bytes and is never empty, hidden, `.`, `..`, an option (`-x`) or a Windows device, whatever extension follows.
 */
export function safeNameOf(id: string): string {
  if (id === '') return emptyName;
  const name = id.length > maxBytes ? id : id.replace(changingSigns, pieceOf);
  if (name.length > maxBytes) return cutName(id);
  return reservedNames.test(name) ? escapeOf(id.charCodeAt(0)) + name.slice(1) : name;
}

/** Returns the id behind a name of `safeNameOf`, or `undefined` if the name was shortened or not made by it. */
export function idOfSafeName(name: string): string | undefined {
  if (name === emptyName) return '';
  if (name.length > maxBytes) return undefined;
  const id = name.replace(/=u[0-9a-f]{4}|=[0-9a-f]{2}|\+[a-z]/g, signOfPiece);
  return safeNameOf(id) === name ? id : undefined;
}

function pieceOf(sign: string): string {
  return sign >= 'A' && sign <= 'Z' ? `+${sign.toLowerCase()}` : escapeOf(sign.charCodeAt(0));
}

function signOfPiece(piece: string): string {
  if (piece.startsWith('+')) return piece.slice(1).toUpperCase();
  return String.fromCharCode(parseInt(piece.replace(/^=u?/, ''), 16));
}

function escapeOf(unit: number): string {
  return unit < 0x80
    ? `=${unit.toString(16).padStart(2, '0')}`
    : `=u${unit.toString(16).padStart(4, '0')}`;
}

function cutName(id: string): string {
  const room = maxBytes - hashDigits - 1;
  let prefix = '';
  for (let index = 0; index <= room; index += 1) {
    const sign = id.charAt(index);
    const stays = /^[a-z0-9_]$/.test(sign) || (sign === '-' && index > 0);
    const piece = stays ? sign : pieceOf(sign);
    if (prefix.length + piece.length > room) break;
    prefix += piece;
  }
  return `${prefix}~${fingerprintText(id).slice(0, hashDigits)}`;
}
