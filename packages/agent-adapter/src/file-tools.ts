/** Names of tools that return the content of a file, in lower case. Callers may hand in their own set. */
export const fileReadTools: ReadonlySet<string> = new Set([
  'read',
  'read_file',
  'readfile',
  'view',
  'view_file',
  'open_file',
  'notebookread',
  'read_text_file',
  'read_many_files',
  'cat',
]);

/** Programs of a shell that print a file as it is. */
const printingPrograms: ReadonlySet<string> = new Set(['cat', 'sed', 'head', 'tail', 'nl', 'bat']);

function member(args: unknown, name: string): unknown {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, name)) return undefined;
  return Object.entries(args).find(([key]) => key === name)?.[1];
}

/**
 * Tells whether a call reads a file: by the tool's name, by `command: 'view'` of the editor tools, or by a shell command
 * that is one printing program without pipes.
 */
export function isFileRead(
  toolName: string,
  args: unknown,
  readTools: ReadonlySet<string> = fileReadTools,
): boolean {
  if (readTools.has(toolName.toLowerCase())) return true;
  const command = member(args, 'command');
  if (typeof command !== 'string') return false;
  if (command === 'view') return true;
  if (/[|;&<>`$]/.test(command)) return false;
  const [program = ''] = command.trimStart().split(' ', 1);
  return printingPrograms.has(program);
}
