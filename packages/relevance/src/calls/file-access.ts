import { splitWords } from '../words/split-words.ts';
import type { FileAccess } from '../index/relevance-document.ts';

const editWords: ReadonlySet<string> = new Set(
  'append apply create edit editor insert modify multiedit overwrite patch replace rewrite update write'.split(
    ' ',
  ),
);
const readWords: ReadonlySet<string> = new Set('cat open read show view'.split(' '));
const shellWords: ReadonlySet<string> = new Set(
  'bash command console exec execute powershell run sh shell terminal'.split(' '),
);

/** What a tool does to the file that its arguments name. */
export interface ToolAccess {
  readonly access: FileAccess;
  /** Whether its result is the content of the file. */
  readonly isFileRead: boolean;
}

/**
 * Guesses from the name of a tool what it does to a file, `undefined` where it does nothing known. Of shells, which show files with
 * `cat` and the like, the caller must have found the path in the command. A tool of many commands (`view`, `str_replace`) is
 * judged by its argument `command`.
 */
export function toolAccess(toolName: string, args: unknown): ToolAccess | undefined {
  const words = splitWords(toolName, { maxCharacters: 200 });
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  if (has(editWords)) return isView(args) ? read : edit;
  if (has(readWords)) return read;
  return has(shellWords) ? read : undefined;
}

const read: ToolAccess = { access: 'read', isFileRead: true };
const edit: ToolAccess = { access: 'edit', isFileRead: false };

function isView(args: unknown): boolean {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, 'command')) return false;
  try {
    return Reflect.get(args, 'command') === 'view';
  } catch {
    return false;
  }
}
