import type { LineRange } from './line-range.ts';

/** Where the lines that a read asks for stand in its input. The first form whose fields are there counts. */
export type LinesForm =
  /** First line and how many; without a number of lines up to `defaultLimit`, else to the end. */
  | {
      readonly form: 'offset-limit';
      readonly offset: string;
      readonly limit: string;
      readonly defaultLimit?: number;
    }
  /** First and last line. */
  | { readonly form: 'first-last'; readonly first: string; readonly last: string }
  /** A list of first and last line, −1 for the end. */
  | { readonly form: 'pair'; readonly field: string }
  /** How many lines from the beginning, or from the end. */
  | { readonly form: 'head-tail'; readonly head: string; readonly tail: string }
  /** A line to show in a window of `windowLines`; without it the file's first ones. */
  | { readonly form: 'around'; readonly line: string; readonly windowLines: number }
  /** Ranges beside each path of a list. */
  | { readonly form: 'in-list'; readonly list: string; readonly fields: readonly string[] };

/** Where the paths stand in an input. The first form that gives a path counts. */
export type PathForm =
  | { readonly form: 'field'; readonly field: string }
  /** A list of paths, or of objects with a path under `field`. */
  | { readonly form: 'list'; readonly list: string; readonly field?: string }
  /** A patch in the form of Codex, under `field` or as the whole input. */
  | { readonly form: 'patch'; readonly field: string };

/** A tool that reads or writes files, and how its calls say which. */
export interface FileTool {
  /** Compared in lower case and without what stands before `__`, `.`, `/` or `:` (servers of MCP). */
  readonly names: readonly string[];
  /** `read`: the result is the content. `person`: the result is a person's words, where files may be mentioned. */
  readonly access: 'read' | 'write' | 'person';
  /** Only calls whose input has one of these under `command`; '' for those without one. */
  readonly commands?: readonly string[];
  readonly paths: readonly PathForm[];
  /** Beside the forms that are common to tools. */
  readonly lines?: readonly LinesForm[];
  /** A result with one of these in it does not show all that was asked for. */
  readonly clippedMarks?: readonly string[];
  /** Names of tags in which its result may hold the whole content of files, as `<final_file_content path="…">`. */
  readonly contentTags?: readonly string[];
}

/** Tools by what they do; the caller's own come first. */
export type FileToolTable = readonly FileTool[];

/** What one call does to files. */
export interface FileUse {
  readonly access: FileTool['access'];
  /** As the call names them. */
  readonly paths: readonly string[];
  /** Lines that a read asks for; `unknown` where they cannot be told. */
  readonly lines: LineRange | 'unknown';
  readonly clippedMarks: readonly string[];
  readonly contentTags: readonly string[];
}

const field = (name: string): PathForm => ({ form: 'field', field: name });
const plainPath: readonly PathForm[] = ['path', 'file_path', 'filePath', 'absolutePath'].map(field);

/** What Cline and Roo put around a file in their answer to a write. */
const writtenTags: readonly string[] = ['final_file_content', 'file_content'];

/** What they put around a file that a person mentions. */
export const mentionTags: readonly string[] = ['file_content'];

/** How tools say which lines of a file they read; those of a tool's own come between these and `offset` with `limit`. */
export const commonLines: readonly LinesForm[] = [
  ...['view_range', 'read_range', 'line_range'].map((field) => ({ form: 'pair', field }) as const),
  ...[
    ['start_line', 'end_line'],
    ['startLine', 'endLine'],
    ['StartLine', 'EndLine'],
    ['start_line_one_indexed', 'end_line_one_indexed_inclusive'],
  ].map(([first = '', last = '']) => ({ form: 'first-last', first, last }) as const),
  { form: 'offset-limit', offset: 'line_offset', limit: 'n_lines' },
  { form: 'head-tail', head: 'head', tail: 'tail' },
  { form: 'in-list', list: 'files', fields: ['line_ranges', 'line_range', 'lineRanges'] },
];

/** How tools say so that begin to count at 1, as those of Claude Code, pi and Codex. */
export const offsetLines: LinesForm = { form: 'offset-limit', offset: 'offset', limit: 'limit' };

/** The editor tools: one name for many commands. */
const editor = {
  names: ['str_replace_editor', 'str_replace_based_edit_tool', 'edit_file_tool'],
  paths: plainPath,
};

/** The tools of the agents that ctx knows. Extend it: `[...yours, ...defaultFileTools]`. */
export const defaultFileTools: FileToolTable = [
  // Claude Code. A read without a limit shows 2,000 lines.
  {
    names: ['read'],
    access: 'read',
    paths: plainPath,
    lines: [{ form: 'offset-limit', offset: 'offset', limit: 'limit', defaultLimit: 2000 }],
    clippedMarks: ['<persisted-output>'],
  },
  { names: ['notebookread'], access: 'read', paths: [field('notebook_path')] },
  { names: ['edit', 'write', 'multiedit'], access: 'write', paths: plainPath },
  { names: ['notebookedit'], access: 'write', paths: [field('notebook_path')] },
  // Cline, Roo and the file-system server of MCP share a name; their fields differ.
  {
    names: ['read_file', 'readfile', 'read_text_file', 'read_multiple_files'],
    access: 'read',
    paths: [
      ...plainPath,
      { form: 'list', list: 'files', field: 'path' },
      { form: 'list', list: 'paths' },
    ],
  },
  {
    names: ['write_to_file', 'replace_in_file', 'new_rule'],
    access: 'write',
    paths: plainPath,
    contentTags: writtenTags,
  },
  {
    names: ['apply_diff', 'insert_content', 'search_and_replace', 'search_replace', 'edit_file'],
    access: 'write',
    paths: plainPath,
    contentTags: writtenTags,
  },
  {
    names: ['write_file', 'writefile', 'create_file', 'save-file', 'move_file'],
    access: 'write',
    paths: [...plainPath, field('source')],
  },
  {
    names: ['plan_mode_respond', 'ask_followup_question', 'attempt_completion', 'act_mode_respond'],
    access: 'person',
    paths: [],
    contentTags: mentionTags,
  },
  // Codex, as a tool of its own and as an argument of a shell.
  {
    names: ['apply_patch'],
    access: 'write',
    paths: [
      { form: 'patch', field: 'input' },
      { form: 'patch', field: 'patch' },
    ],
    contentTags: writtenTags,
  },
  {
    names: ['shell', 'local_shell', 'exec_command', 'shell_command'],
    access: 'write',
    paths: [
      { form: 'patch', field: 'command' },
      { form: 'patch', field: 'cmd' },
    ],
  },
  // OpenHands, and SWE-agent since version 1.
  {
    ...editor,
    access: 'read',
    commands: ['view', ''],
    clippedMarks: ['<response clipped>'],
  },
  {
    ...editor,
    access: 'write',
    commands: ['create', 'str_replace', 'insert', 'undo_edit'],
  },
  // SWE-agent shows files in a window of 100 lines.
  {
    names: ['open'],
    access: 'read',
    paths: plainPath,
    lines: [{ form: 'around', line: 'line_number', windowLines: 100 }],
  },
  { names: ['create'], access: 'write', paths: [field('filename'), ...plainPath] },
];
