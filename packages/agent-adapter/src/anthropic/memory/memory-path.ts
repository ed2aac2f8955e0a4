import { CtxError } from '@ctx/core';
import { isStorableText } from '@ctx/store/backend';

/** Longest path and longest name in it, UTF-8 bytes. */
const maxPathBytes = 1000;
const maxNameBytes = 255;

/** Signs that end a text or a line for some programs, or mean another folder for some systems. */
// eslint-disable-next-line no-control-regex -- exactly these are refused
const badSign = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\\]/;

/** Ways to write a dot, a slash or a backslash that a later program might read as one. */
const encodedSign = /%(?:2e|2f|5c|00|25)/i;

function refused(message: string): CtxError {
  return new CtxError('CTX_NOT_ALLOWED', message);
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** A path for a message: one line, and no longer than needed. */
function quoted(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}

function checkName(name: string, path: string): void {
  if (name === '') throw refused(`the path ${quoted(path)} has an empty name in it`);
  if (name === '.' || name === '..') {
    throw refused(`the path ${quoted(path)} must not have . or .. in it`);
  }
  if (bytesOf(name) > maxNameBytes) {
    throw refused(`a name in the path is longer than ${String(maxNameBytes)} bytes`);
  }
}

/**
 * A path as it is stored: below `root`, or the root itself, without a slash at its end. Paths are names in a store, so there are no
 * links to follow; what could mean another place to a later program is refused.
 * Pure; a path that is accepted stays the same when it is checked again.
 * @throws `CTX_NOT_ALLOWED`.
 */
export function memoryPath(path: string, root: string): string {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (plain !== root && !plain.startsWith(`${root}/`)) {
    throw refused(`Path must start with ${root}, got: ${quoted(path)}`);
  }
  if (badSign.test(plain) || encodedSign.test(plain) || !isStorableText(plain)) {
    throw refused(`the path ${quoted(path)} has signs in it that are not allowed`);
  }
  if (bytesOf(plain) > maxPathBytes) {
    throw refused(`the path is longer than ${String(maxPathBytes)} bytes`);
  }
  for (const name of plain.split('/').slice(1)) checkName(name, path);
  return plain;
}

/**
 * Checks a root such as `/memories`.
 * @throws `CTX_INVALID_OPTION`.
 */
export function memoryRoot(root: string): string {
  try {
    if (root.startsWith('/') && root.length > 1 && memoryPath(root, root) === root) return root;
  } catch {
    // The caller's mistake, not the model's.
  }
  throw new CtxError('CTX_INVALID_OPTION', 'root must be a path such as /memories');
}

/** The folders above a path, without the root. */
export function foldersAbove(path: string, root: string): readonly string[] {
  const folders: string[] = [];
  let end = path.lastIndexOf('/');
  while (end > root.length) {
    folders.push(path.slice(0, end));
    end = path.lastIndexOf('/', end - 1);
  }
  return folders;
}

/** Whether a name is hidden from a look at a folder. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}
