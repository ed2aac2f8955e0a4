import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapeOfResponse } from './tool-shapes.ts';

const shapes: readonly (readonly [string, unknown, string, unknown])[] = [
  [
    'Bash',
    { stdout: 'out', stderr: 'bad', interrupted: false, isImage: false, noOutputExpected: false },
    'out\nbad',
    { stdout: 'P', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  ],
  [
    'Bash',
    {
      stdout: 'out\n',
      stderr: '',
      interrupted: false,
      isImage: false,
      persistedOutputPath: '/x',
      persistedOutputSize: 9,
    },
    'out\n',
    { stdout: 'P', stderr: '', interrupted: false, isImage: false },
  ],
  [
    'Read',
    {
      type: 'text',
      file: { filePath: 'a.ts', content: 'x', numLines: 1, startLine: 3, totalLines: 9 },
    },
    'x',
    {
      type: 'text',
      file: { filePath: 'a.ts', content: 'P', numLines: 1, startLine: 3, totalLines: 9 },
    },
  ],
  [
    'Grep',
    { mode: 'content', filenames: [], numFiles: 0, content: 'a:1', numLines: 1 },
    'a:1',
    { mode: 'content', filenames: [], numFiles: 0, content: 'P', numLines: 1 },
  ],
  [
    'Grep',
    { mode: 'files_with_matches', filenames: ['a', 'b'], numFiles: 2 },
    'a\nb',
    { mode: 'files_with_matches', filenames: ['P'], numFiles: 2 },
  ],
  [
    'Glob',
    { filenames: ['a', 'b'], durationMs: 3, numFiles: 2, truncated: false },
    'a\nb',
    { filenames: ['P'], durationMs: 3, numFiles: 2, truncated: false },
  ],
  [
    'WebFetch',
    { bytes: 1, code: 200, codeText: 'OK', result: 'page', durationMs: 3, url: 'https://x' },
    'page',
    { bytes: 1, code: 200, codeText: 'OK', result: 'P', durationMs: 3, url: 'https://x' },
  ],
  ['mcp__s__t', 'plain', 'plain', 'P'],
  ['Bash', 'Error: exit 1', 'Error: exit 1', 'P'],
  [
    'BashOutput',
    { shellId: 'b', status: 'running', exitCode: null, stdout: 'out', stderr: 'bad' },
    'out\nbad',
    { shellId: 'b', status: 'running', exitCode: null, stdout: 'P', stderr: '' },
  ],
  [
    'Task',
    { status: 'completed', content: [{ type: 'text', text: 'found' }], totalTokens: 3 },
    'found',
    { status: 'completed', content: [{ type: 'text', text: 'P' }], totalTokens: 3 },
  ],
  [
    'TaskOutput',
    { retrieval_status: 'success', task: { task_id: 'b', status: 'failed', output: 'log' } },
    'log',
    { retrieval_status: 'success', task: { task_id: 'b', status: 'failed', output: 'P' } },
  ],
  [
    'WebSearch',
    {
      query: 'q',
      results: [{ tool_use_id: 'w', content: [{ title: 'T', url: 'https://x' }] }, 'It says so.'],
      durationSeconds: 2,
    },
    'Links: [{"title":"T","url":"https://x"}]\nIt says so.',
    { query: 'q', results: ['P'], durationSeconds: 2 },
  ],
  [
    'mcp__s__t',
    [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA' },
      { type: 'text', text: 'b' },
    ],
    'a\nb',
    [
      { type: 'text', text: 'P' },
      { type: 'image', data: 'AAAA' },
    ],
  ],
  [
    'mcp__s__t',
    { content: [{ type: 'text', text: 'a' }], isError: false },
    'a',
    { content: [{ type: 'text', text: 'P' }], isError: false },
  ],
];

const unknown: readonly (readonly [string, unknown])[] = [
  ['Bash', { stdout: 'iVBOR', stderr: '', isImage: true }],
  ['Read', { type: 'image', file: { base64: 'AAAA' } }],
  ['Read', { type: 'text', file: null }],
  ['Grep', { mode: 'count', filenames: 'a' }],
  ['Agent', { isAsync: true, status: 'async_launched', prompt: 'look' }],
  ['TaskOutput', { retrieval_status: 'timeout', task: null }],
  ['WebSearch', { query: 'q', results: [7] }],
  ['Edit', { filePath: 'a', structuredPatch: [] }],
  ['mcp__s__t', { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } }],
  ['mcp__s__t', [{ type: 'image', data: 'A' }]],
  ['constructor', { stdout: 'a', stderr: '' }],
  ['Bash', null],
  ['Bash', undefined],
];

describe('shapeOfResponse', () => {
  it.each(shapes)(
    '%s: takes the text out and puts another in its place',
    (tool, response, text, other) => {
      const before = structuredClone(response);
      const shape = shapeOfResponse(tool, response);
      expect(shape?.text).toBe(text);
      expect(shape?.withText('P')).toEqual(other);
      expect(response).toEqual(before);
    },
  );

  it.each(unknown)('%s: leaves what has no text that could be replaced', (tool, response) => {
    expect(shapeOfResponse(tool, response)).toBeUndefined();
  });

  it('never throws, and reads what it wrote', () => {
    const tools = fc.constantFrom(
      ...['Bash', 'BashOutput', 'Read', 'Grep', 'Glob', 'WebFetch'],
      ...['WebSearch', 'Task', 'Agent', 'TaskOutput', 'mcp__a__b', 'x'],
    );
    const member = fc.constantFrom(
      'stdout',
      'stderr',
      'type',
      'file',
      'content',
      'filenames',
      'result',
      'results',
      'task',
      'output',
    );
    const response = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(member, fc.oneof(fc.string(), fc.array(fc.string()), fc.jsonValue())),
    );
    fc.assert(
      fc.property(tools, response, fc.string({ minLength: 1 }), (tool, value, text) => {
        const shape = shapeOfResponse(tool, value);
        if (shape === undefined) return;
        expect(shapeOfResponse(tool, shape.withText(text))?.text).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});
