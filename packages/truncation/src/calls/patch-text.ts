/** What a patch does to one file. */
export interface PatchedFile {
  readonly path: string;
  /** The lines that each hunk expects in the file: those that stay and those that go. */
  readonly hunks: readonly (readonly string[])[];
}

const beginning = '*** Begin Patch';
const fileLine = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/;
const moveLine = /^\*\*\* Move to: (.+)$/;

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

/**
 * Reads a patch in the form of Codex (`*** Begin Patch`), wherever in a text it stands. Empty where there is none.
 * Takes linear time.
 */
export function patchedFiles(text: string): readonly PatchedFile[] {
  const start = text.indexOf(beginning);
  const lines = start < 0 ? [] : text.slice(start).split('\n');
  const files: FileDraft[] = [];
  for (const line of lines) {
    if (line.startsWith('*** End Patch')) break;
    const path = (fileLine.exec(line) ?? moveLine.exec(line))?.[1]?.trim();
    const file = files.at(-1);
    if (path !== undefined) files.push({ path, hunks: [] });
    else if (file !== undefined) takeLine(file, line);
  }
  return files;
}
