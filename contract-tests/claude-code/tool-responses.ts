/** What tools of Claude Code answer, made by hand in their shapes, each with a text that is large. */

const text = Array.from({ length: 2500 }, (_, line) => `line ${String(line)} of it`).join('\n');

/** The large text, and how many tools show it. */
export const largeText: string = text;

/** Responses whose text may be replaced: tool, arguments, response. */
export const largeResponses: readonly (readonly [string, unknown, unknown])[] = [
  [
    'Bash',
    { command: 'make' },
    { stdout: text, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  ],
  [
    'Grep',
    { pattern: 'line' },
    { mode: 'content', filenames: [], numFiles: 0, content: text, numLines: 2500 },
  ],
  [
    'Grep',
    { pattern: 'line', output_mode: 'files_with_matches' },
    { mode: 'files_with_matches', filenames: text.split('\n'), numFiles: 2500 },
  ],
  [
    'Glob',
    { pattern: '**' },
    { filenames: text.split('\n'), durationMs: 4, numFiles: 2500, truncated: false },
  ],
  [
    'WebFetch',
    { url: 'https://example.com' },
    {
      bytes: 9,
      code: 200,
      codeText: 'OK',
      result: text,
      durationMs: 4,
      url: 'https://example.com',
    },
  ],
  ['mcp__files__list', { path: '/' }, [{ type: 'text', text }]],
  ['mcp__files__list', { path: '/a' }, text],
  ['Bash', { command: 'make -k' }, `Error: exit code 2\n${text}`],
];

/** Responses that stay as they are. */
export const untouchedResponses: readonly (readonly [string, unknown, unknown])[] = [
  [
    'Read',
    { file_path: '/a.txt' },
    {
      type: 'text',
      file: { filePath: '/a.txt', content: text, numLines: 2500, startLine: 1, totalLines: 2500 },
    },
  ],
  ['Edit', { file_path: '/a' }, { filePath: '/a', oldString: text, structuredPatch: [] }],
  ['Bash', { command: 'ls' }, { stdout: 'a\nb', stderr: '', interrupted: false, isImage: false }],
];
