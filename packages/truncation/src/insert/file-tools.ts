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
  if (typeof args !== 'object' || args === null) return undefined;
  return Object.getOwnPropertyDescriptor(args, name)?.value;
}

/** Whether a shell command is one program that prints a file, and nothing else. */
function printsFile(command: string): boolean {
  const [program = '', ...words] = command.trim().split(/[ \t]+/);
  if (/[|;&<>`$\r\n]/.test(command.trim()) || !printingPrograms.has(program)) return false;
  return program !== 'sed' || !words.some((word) => word.startsWith('-i'));
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
  const command = member(args, 'command') ?? member(args, 'cmd');
  return typeof command === 'string' && (command === 'view' || printsFile(command));
}
