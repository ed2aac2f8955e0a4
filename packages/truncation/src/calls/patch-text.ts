/** What a patch does to one file. */
export interface PatchedFile {
  readonly path: string;
  /** The lines that each hunk expects in the file: those that stay and those that go. */
  readonly hunks: readonly (readonly string[])[];
}

/** How a patch in the form of Codex begins. */
export const beginning = '*** Begin Patch';

interface FileDraft {
  readonly path: string;
  readonly hunks: string[][];
}

/** A line below the name of a file: the beginning of a hunk, or a line that the file has. */
function takeLine({ hunks }: FileDraft, line: string): void {
  if (line.startsWith('@@')) {
    hunks.push([]);
    return;
  }
  if (!line.startsWith(' ') && !line.startsWith('-')) return;
  if (hunks.length === 0) hunks.push([]);
  hunks.at(-1)?.push(line.slice(1));
}

function filesIn(text: string, fileLine: RegExp): readonly PatchedFile[] {
  const files: FileDraft[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('*** End Patch')) break;
    const path = fileLine.exec(line)?.[1]?.trim();
    const file = files.at(-1);
    if (path !== undefined) files.push({ path, hunks: [] });
    else if (file !== undefined) takeLine(file, line);
  }
  return files;
}

/**
 * Reads a patch in the form of Codex (`*** Begin Patch`), wherever in a text it stands. Empty where there is none.
 * Takes linear time.
 */
export function patchedFiles(text: string): readonly PatchedFile[] {
  const start = text.indexOf(beginning);
  const fileLine = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/;
  return start < 0 ? [] : filesIn(text.slice(start), fileLine);
}

/** Reads a unified diff, as `git apply` and `patch` take it. Empty where there is none. Takes linear time. */
export function diffedFiles(text: string): readonly PatchedFile[] {
  const plain = text.replaceAll(/^--- .*\n(?=\+\+\+ )/gm, '');
  return filesIn(plain, /^\+\+\+ (?:b\/)?([^\t\n]+)/);
}
