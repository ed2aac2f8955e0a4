import type { Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  failed,
  frozen,
  image,
  result,
  text,
  textsOf,
  user,
} from '../../test-support/messages.ts';
import { applyBlockEdits } from '../edits/block-edit.ts';
import { duplicateReadNotice as notice } from '../notices.ts';
import { deletedRange } from '../range/deleted-range.ts';
import { type DuplicateReadOptions, planDuplicateReads } from './duplicate-reads.ts';

const file = (version: string): string => `export const version = '${version}';\n`.repeat(20);

interface Reading {
  readonly path?: string;
  readonly offset?: number;
  readonly limit?: number;
}

const read = (id: string, content: string, { path = 'src/a.ts', ...lines }: Reading = {}) => [
  assistant(call(id, 'Read', { file_path: path, ...lines })),
  user(result(id, content)),
];
const edit = (id: string): Message[] => [
  assistant(call(id, 'Edit', { file_path: 'src/a.ts', old_string: 'x', new_string: 'y' })),
  user(result(id, 'The file src/a.ts has been updated.')),
];
const mention = (content: string, attributes = 'path="src/a.ts"'): string =>
  `<file_content ${attributes}>\n${content}\n</file_content>`;
const written = (content: string): string =>
  `saved\n\n<final_file_content path="src/a.ts">\n${content}\n</final_file_content>\nmind it`;

const after = (messages: readonly Message[], options: DuplicateReadOptions = {}): string[] =>
  textsOf(applyBlockEdits(messages, planDuplicateReads(messages, options).edits));
/** What stands in the place of each old copy, by position. */
const placesOf = (messages: readonly Message[], options?: DuplicateReadOptions): number[] =>
  planDuplicateReads(messages, options).duplicates.map(({ messageIndex }) => messageIndex);

describe('a newer read', () => {
  it('takes the place of every older one of the same file', () => {
    const messages = [user('task'), ...read('1', file('1')), ...read('2', file('2'))];
    expect(after([...messages, ...read('3', file('3'))])).toEqual([
      'task',
      notice,
      notice,
      file('3'),
    ]);
  });

  it('leaves other files alone', () => {
    const messages = [
      user('task'),
      ...read('1', file('1')),
      ...read('2', file('2'), { path: 'b' }),
    ];
    expect(placesOf(messages)).toEqual([]);
  });

  it('leaves another page of the file alone', () => {
    const messages = [
      user('task'),
      ...read('1', file('1'), { offset: 1, limit: 100 }),
      ...read('2', file('2'), { offset: 101, limit: 100 }),
    ];
    expect(placesOf(messages)).toEqual([]);
  });

  it('takes the place of a page that lies within its lines, not of one that reaches beyond', () => {
    const messages = [
      user('task'),
      ...read('1', file('1'), { offset: 20, limit: 10 }),
      ...read('2', file('2'), { offset: 95, limit: 20 }),
      ...read('3', file('3'), { offset: 1, limit: 100 }),
    ];
    expect(placesOf(messages)).toEqual([2]);
  });

  it('does not take two newer pages for one that covers both', () => {
    const messages = [
      user('task'),
      ...read('1', file('1'), { offset: 1, limit: 200 }),
      ...read('2', file('2'), { offset: 1, limit: 100 }),
      ...read('3', file('3'), { offset: 101, limit: 100 }),
    ];
    expect(placesOf(messages)).toEqual([]);
  });

  it('without a limit shows 2,000 lines in Claude Code, and so leaves later pages alone', () => {
    const messages = [
      user('task'),
      ...read('1', file('1'), { offset: 2500, limit: 10 }),
      ...read('2', file('2')),
    ];
    expect(placesOf(messages)).toEqual([]);
  });

  it('that failed evicts nothing, and is not evicted', () => {
    const messages = [
      user('task'),
      ...read('1', file('1')),
      assistant(call('2', 'Read', { file_path: 'src/a.ts' })),
      user(failed('2', `EISDIR ${file('2')}`)),
    ];
    expect(placesOf(messages)).toEqual([]);
    expect(placesOf([...messages, ...read('3', file('3'))])).toEqual([2]);
  });

  it.each([
    'Error: ENOENT: no such file or directory',
    '<tool_use_error>File has not been read yet.</tool_use_error>',
    'The user denied this operation.',
    "The user doesn't want to proceed with this tool use.",
    'File unchanged since last read. The earlier result is still current.',
    '[Old tool result content cleared]',
    '[No result: the call was interrupted]',
    '[ctx: the whole result (900 tokens) is kept at ctx://outputs/x; this is a preview]\nexport',
    '   ',
    '',
  ])('whose result holds no file evicts nothing: %s', (content) => {
    expect(placesOf([user('task'), ...read('1', file('1')), ...read('2', content)])).toEqual([]);
  });

  it('that was clipped evicts nothing, but is evicted by a whole one', () => {
    const view = (id: string, content: string): Message[] => [
      assistant(call(id, 'str_replace_editor', { command: 'view', path: 'src/a.ts' })),
      user(result(id, content)),
    ];
    const clipped = `${file('2')}<response clipped><NOTE>only a part</NOTE>`;
    const messages = [user('task'), ...view('1', file('1')), ...view('2', clipped)];
    expect(placesOf(messages)).toEqual([]);
    expect(placesOf([...messages, ...view('3', file('3'))])).toEqual([2, 4]);
  });

  it('that never got an answer evicts nothing', () => {
    const asked = assistant(call('2', 'Read', { file_path: 'src/a.ts' }));
    expect(placesOf([user('task'), ...read('1', file('1')), asked, user('stop')])).toEqual([]);
  });

  it('that is out of view evicts nothing', () => {
    const messages = [
      user('task'),
      ...read('1', file('1')),
      ...read('2', file('2')),
      ...read('3', file('3'), { path: 'b' }),
    ];
    expect(placesOf(messages)).toEqual([2]);
    expect(placesOf(messages, { deletedRange: deletedRange(3, 4) })).toEqual([]);
  });

  it('of several files at once neither evicts nor leaves: only its tool can tell them apart', () => {
    const several = (id: string): Message[] => [
      assistant(call(id, 'read_multiple_files', { paths: ['src/a.ts', 'b'] })),
      user(result(id, file(id))),
    ];
    expect(placesOf([user('task'), ...read('1', file('1')), ...several('2')])).toEqual([]);
    expect(placesOf([user('task'), ...several('1'), ...several('2')])).toEqual([]);
  });

  it('of a picture changes nothing', () => {
    const picture = (id: string): Message[] => [
      assistant(call(id, 'Read', { file_path: 'src/a.ts' })),
      user(result(id, [text(file(id)), image()])),
    ];
    expect(placesOf([user('task'), ...picture('1'), ...picture('2')])).toEqual([]);
  });
});

describe('a read before an edit', () => {
  it('stays where nothing was read again', () => {
    expect(placesOf([user('task'), ...read('1', file('1')), ...edit('2')])).toEqual([]);
  });

  it('leaves when the file was read again, before or after the edit', () => {
    const messages = [user('task'), ...read('1', file('1')), ...edit('2')];
    expect(placesOf([...messages, ...read('3', file('3'))])).toEqual([2]);
  });

  it("leaves when the edit's result holds the whole file", () => {
    const messages = [
      user('task'),
      ...read('1', file('1')),
      assistant(call('2', 'replace_in_file', { path: 'src/a.ts' })),
      user(result('2', written(file('2')))),
    ];
    expect(after(messages)).toEqual(['task', notice, written(file('2'))]);
  });

  it('stays when that edit failed or was denied', () => {
    const answers = [
      failed('2', written(file('2'))),
      result('2', `The user denied this operation.\n${mention(file('2'))}`),
    ];
    for (const answer of answers) {
      const asked = assistant(call('2', 'replace_in_file', { path: 'src/a.ts' }));
      expect(placesOf([user('task'), ...read('1', file('1')), asked, user(answer)])).toEqual([]);
    }
  });
});

describe('the content that a write left', () => {
  it('leaves when the file was read since; header, tags and all other text stay', () => {
    const messages = [
      user('task'),
      assistant('<write_to_file>'),
      user(`[write_to_file for 'src/a.ts'] Result:\n${written(file('1'))}`),
      ...read('2', file('2')).map((message) => message),
    ];
    // A read of 2,000 lines does not cover a whole file of unknown length.
    expect(placesOf(messages)).toEqual([]);
    const whole = [
      assistant('<read_file>'),
      user(`[read_file for 'src/a.ts'] Result:\n${file('3')}`),
    ];
    expect(after([...messages, ...whole])).toEqual([
      'task',
      '<write_to_file>',
      "[write_to_file for 'src/a.ts'] Result:\nsaved\n\n" +
        `<final_file_content path="src/a.ts"> ${notice} </final_file_content>\nmind it`,
      notice,
      '<read_file>',
      `[read_file for 'src/a.ts'] Result:\n${file('3')}`,
    ]);
  });
});

describe('a result that is sent as text', () => {
  const asText = (content: string): string => `[read_file for 'src/a.ts'] Result:\n${content}`;

  it('keeps its header', () => {
    const messages = [user(asText(file('1'))), assistant('well'), user(asText(file('2')))];
    expect(after(messages)).toEqual([asText(notice), 'well', asText(file('2'))]);
  });

  it('is found where header and content are two blocks', () => {
    const messages = [
      user("[read_file for 'src/a.ts'] Result:", file('1'), 'environment'),
      assistant('well'),
      user(asText(file('2'))),
    ];
    expect(after(messages).slice(0, 3)).toEqual([
      "[read_file for 'src/a.ts'] Result:",
      notice,
      'environment',
    ]);
  });

  it('is told by its header where the call names no path', () => {
    const native = (id: string, content: string): Message[] => [
      assistant(call(id, 'read_file')),
      user(result(id, asText(content))),
    ];
    const messages = [user('task'), ...native('1', file('1')), ...native('2', file('2'))];
    expect(after(messages)).toEqual(['task', asText(notice), asText(file('2'))]);
  });

  it('of a command is no place to look for files', () => {
    const messages = [
      user(asText(file('1'))),
      assistant('well'),
      user(`[execute_command for 'cat log'] Result:\n${mention(file('2'))}`),
    ];
    expect(placesOf(messages)).toEqual([]);
  });
});

describe('a mention', () => {
  it('in the first message is replaced too', () => {
    const messages = [user(`see ${mention(file('1'))} please`), ...[assistant('yes')]];
    expect(after([...messages, user(mention(file('2')))])[0]).toBe(
      `see <file_content path="src/a.ts">${notice}</file_content> please`,
    );
  });

  it('counts each time where one block holds several', () => {
    const block = `a ${mention(file('1'))} b ${mention('short')} c ${mention(file('2'))} d`;
    const [shown] = after([user(block), assistant('yes'), user(mention(file('3')))]);
    const cut = `<file_content path="src/a.ts">${notice}</file_content>`;
    expect(shown).toBe(`a ${cut} b ${mention('short')} c ${cut} d`);
  });

  it('is found with its attributes in any order', () => {
    const odd = mention(file('1'), `lines="all" path='src/a.ts' x="<y>"`);
    expect(after([user(odd), assistant('yes'), user(mention(file('2')))])[0]).toBe(
      `<file_content lines="all" path='src/a.ts' x="<y>">${notice}</file_content>`,
    );
  });

  it("in a person's answer to a question counts", () => {
    const messages = [
      user(mention(file('1'))),
      assistant(call('q', 'ask_followup_question')),
      user(result('q', `use ${mention(file('2'))}`)),
    ];
    expect(placesOf(messages)).toEqual([0]);
  });

  it('that could not be read evicts nothing', () => {
    const broken = mention('Error fetching content: ENOENT');
    expect(placesOf([user(mention(file('1'))), assistant('yes'), user(broken)])).toEqual([]);
  });

  it("in the model's own words counts for nothing", () => {
    const messages = [user(mention(file('1'))), assistant(mention(file('2'))), user('so?')];
    expect(placesOf(messages)).toEqual([]);
  });

  it('in the output of a tool is the work of the file, not of a person', () => {
    const messages = [
      user(mention(file('1'))),
      assistant(call('b', 'Bash', { command: 'cat notes' })),
      user(result('b', mention(file('2')))),
      ...read('r', mention(file('3')), { path: 'notes' }),
    ];
    expect(placesOf(messages)).toEqual([]);
  });
});

describe('every block of every message', () => {
  it('is looked at: several results in one message, several parts in one result', () => {
    const messages = [
      user('task'),
      assistant(
        call('1', 'Read', { file_path: 'src/a.ts' }),
        call('2', 'Read', { file_path: 'b.ts' }),
      ),
      user(result('1', file('1')), result('2', [text(file('2')), text(file('2'))]), 'well?'),
      ...read('3', file('3')),
      ...read('4', file('4'), { path: 'b.ts' }),
    ];
    const view = applyBlockEdits(messages, planDuplicateReads(messages).edits);
    expect(view[2]).toEqual(user(result('1', notice), result('2', notice), 'well?'));
  });

  it('keeps what an agent added behind the content', () => {
    const added = '<system-reminder>\nmind your tasks\n</system-reminder>';
    const messages = [
      user('task'),
      ...read('1', `${file('1')}\n${added}`),
      ...read('2', file('2')),
    ];
    expect(after(messages)[1]).toBe(`${notice}${added}`);
  });
});

describe('paths', () => {
  it.each(['./src/a.ts', 'src//a.ts', 'src\\a.ts', 'src/./a.ts'])(
    'are compared normalised: %s',
    (path) => {
      const messages = [user('task'), ...read('1', file('1'), { path }), ...read('2', file('2'))];
      expect(placesOf(messages)).toEqual([2]);
    },
  );

  it('differ by case unless asked otherwise', () => {
    const messages = [
      user('task'),
      ...read('1', file('1'), { path: 'SRC/A.ts' }),
      ...read('2', file('2')),
    ];
    expect(placesOf(messages)).toEqual([]);
    expect(placesOf(messages, { ignoreCase: true })).toEqual([2]);
  });

  it.each(['$&', "it's <b> & $1.ts", '__proto__', 'constructor', 'a]b[c(d*', '漢字 😀.md'])(
    'may hold any sign: %s',
    (path) => {
      const messages = [
        user('task'),
        ...read('1', `$& ${file('1')}`, { path }),
        ...read('2', file('2'), { path }),
      ];
      expect(after(messages)).toEqual(['task', notice, file('2')]);
    },
  );

  it('and text with replacement patterns come out as they went in', () => {
    const odd = "$& $1 $` $' $$";
    const messages = [user(`${odd} ${mention(file('1'))} ${odd}`), ...[assistant('yes')]];
    expect(after([...messages, user(mention(file('2')))], { notice: odd })[0]).toBe(
      `${odd} <file_content path="src/a.ts">${odd}</file_content> ${odd}`,
    );
  });
});

describe('what is not worth it', () => {
  it('is a copy that is no longer than the notice', () => {
    const same = 'x'.repeat(notice.length);
    const messages = (content: string) => [
      user('task'),
      ...read('1', content),
      ...read('2', file('2')),
    ];
    expect(placesOf(messages(same))).toEqual([]);
    expect(placesOf(messages(`${same}x`))).toEqual([2]);
  });

  it('is content that was replaced already', () => {
    const messages = [
      user(mention(file('1'))),
      ...read('1', file('1')),
      ...read('2', file('2')),
      user(mention(file('3'))),
    ];
    const once = applyBlockEdits(messages, planDuplicateReads(messages).edits);
    expect(planDuplicateReads(once)).toEqual({ edits: [], duplicates: [] });
  });
});

describe('planDuplicateReads', () => {
  it('changes nothing of what it was given, and says what it saves', () => {
    const messages = frozen([user('task'), ...read('1', file('1')), ...read('2', file('2'))]);
    expect(planDuplicateReads(messages).duplicates).toEqual([
      {
        messageIndex: 2,
        blockIndex: 0,
        path: 'src/a.ts',
        savedCharacters: file('1').length - notice.length,
      },
    ]);
  });

  it('takes a table of further tools', () => {
    const peek = (id: string): Message[] => [
      assistant(call(id, 'peek', { what: 'a' })),
      user(result(id, file(id))),
    ];
    const messages = [user('task'), ...peek('1'), ...peek('2')];
    expect(placesOf(messages)).toEqual([]);
    const fileTools = [
      { names: ['peek'], access: 'read', paths: [{ form: 'field', field: 'what' }] },
    ] as const;
    expect(placesOf(messages, { fileTools })).toEqual([2]);
  });

  it('gets through ten thousand reads of one file', () => {
    const reads = Array.from({ length: 10_000 }, (_, index) =>
      read(`r${index}`, file('1').slice(0, 200), { offset: 1 + index * 10, limit: 10 }),
    );
    expect(placesOf([user('task'), ...reads.flat()])).toEqual([]);
  });
});

describe('a result in text form that says which lines it shows', () => {
  const page = (lines: string, content: string): Message =>
    user(
      text(
        `[read_file for 'src/a.ts'] Result:\r\n${content}\n(Showing lines ${lines} of 2000 total lines)`,
      ),
    );

  it('counts as these lines: another page does not take its place', () => {
    const messages = [
      page('1-1000', file('1')),
      assistant(text('go on')),
      page('1001-2000', file('2')),
    ];
    expect(planDuplicateReads(messages).edits).toEqual([]);
  });

  it('gives way to the same page, and to all of the file', () => {
    for (const lines of ['1-1000', '1-2000']) {
      const messages = [
        page('1-1000', file('1')),
        assistant(text('go on')),
        page(lines, file('2')),
      ];
      expect(planDuplicateReads(messages).edits).toHaveLength(1);
    }
  });
});
