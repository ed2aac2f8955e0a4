import type { FileAccess } from '../index/relevance-document.ts';
import { splitWords } from '../words/split-words.ts';

const editWords: ReadonlySet<string> = new Set(
  'append apply create edit editor insert modify multiedit overwrite patch replace rewrite save update write'.split(
    ' ',
  ),
);
const readWords: ReadonlySet<string> = new Set('cat open read show view'.split(' '));
const getWords: ReadonlySet<string> = new Set('fetch get load'.split(' '));
const fileWords: ReadonlySet<string> = new Set('file files'.split(' '));
/** Words in the names of tools that run commands. */
export const shellWords: ReadonlySet<string> = new Set(
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
 * judged by its argument `command`; an editor that is given no command and no text shows.
 */
export function toolAccess(toolName: string, args: unknown): ToolAccess | undefined {
  const words = splitWords(toolName, { maxCharacters: 200 });
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  if (has(editWords)) return isView(args, words.includes('editor')) ? read : edit;
  if (has(readWords) || (has(getWords) && has(fileWords))) return read;
  return has(shellWords) ? read : undefined;
}

const read: ToolAccess = { access: 'read', isFileRead: true };
const edit: ToolAccess = { access: 'edit', isFileRead: false };

function isView(args: unknown, isEditor: boolean): boolean {
  if (typeof args !== 'object' || args === null) return false;
  try {
    if (Object.hasOwn(args, 'command')) return Reflect.get(args, 'command') === 'view';
    const texts = Object.values(args).filter((value) => typeof value === 'string');
    return isEditor && texts.length === 1;
  } catch {
    return false;
  }
}
