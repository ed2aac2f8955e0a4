import { readOwn, readOwnText } from './read-own.ts';

/** The names under which well-known tools take the new text of a file. */
const newTextKeys: readonly string[] = [
  'new_string',
  'newString',
  'new_str',
  'newText',
  'new_text',
  'content',
  'file_text',
  'fileText',
  'new_source',
  'insert_text',
  'text',
  'contents',
];

const patchKeys: readonly string[] = ['patch', 'diff', 'input'];

/** The text that an edit or a write puts into a file: undefined where the arguments hold none. Never throws. */
export function newTextOf(input: unknown): string | undefined {
  const edits = readOwn(input, 'edits');
  if (Array.isArray(edits)) {
    const texts = edits.flatMap((edit) => readOwnText(edit, newTextKeys) ?? []);
    if (texts.length > 0) return texts.join('\n');
  }
  const patch = typeof input === 'string' ? input : readOwnText(input, patchKeys);
  return readOwnText(input, newTextKeys) ?? (patch === undefined ? undefined : addedLines(patch));
}

function addedLines(patch: string): string | undefined {
  const added = patch.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++'));
  return added.length === 0 ? undefined : added.map((line) => line.slice(1)).join('\n');
}
