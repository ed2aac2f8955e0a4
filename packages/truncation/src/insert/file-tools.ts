import { describeCall } from '../calls/describe-call.ts';

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

/**
 * Tells whether the result of a call is the content of files: by the tool's name, by its arguments, or by a shell command that
 * prints files and nothing else. With names of one's own only those tools count, besides shells.
 */
export function isFileRead(
  toolName: string,
  args: unknown,
  readTools?: ReadonlySet<string>,
): boolean {
  if ((readTools ?? fileReadTools).has(toolName.toLowerCase())) return true;
  const use = describeCall({ type: 'tool_use', id: '', name: toolName, input: args });
  if (use?.access !== 'read') return false;
  return use.shows === undefined ? readTools === undefined : use.shows === 'file';
}
