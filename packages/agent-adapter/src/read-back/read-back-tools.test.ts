import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { pointerUri } from '@ctx/truncation';
import { describe, expect, it } from 'vitest';
import { readBackTools } from './read-back-tools.ts';
import { maxAnswerCharacters } from './read-output-args.ts';

const log = Array.from({ length: 5000 }, (_, index) => `line ${String(index + 1)} of the log`).join(
  '\n',
);

/** What stands above each answer about an output. */
const called = '[call: Bash {"command":"npm test"}]\n';

async function open(): Promise<{ store: ContextStore; pointer: string; json: string }> {
  const store = await openStore(memoryBackend());
  const call = { sessionId: 's', toolName: 'Bash', args: { command: 'npm test' } };
  const saved = await store.outputs.save({ ...call, result: log });
  const value = { items: [{ name: 'a' }, { name: 'b' }], 'x.y': 1 };
  const other = await store.outputs.save({ ...call, result: JSON.stringify(value) });
  return { store, pointer: pointerUri(saved.pointer.id), json: pointerUri(other.pointer.id) };
}

async function read(store: ContextStore, args: unknown, sessionId?: string): Promise<string> {
  const [tool] = readBackTools(store, sessionId === undefined ? {} : { sessionId });
  return tool.execute(args);
}

describe('ctx_read_output', () => {
  it('gives everything, page by page, never more than an answer may hold', async () => {
    const { store, pointer } = await open();
    const lines: string[] = [];
    let from: number | undefined = 1;
    while (from !== undefined) {
      const answer = await read(store, { pointer, from });
      expect(answer.length).toBeLessThan(maxAnswerCharacters + 200);
      const rows = answer.split('\n');
      lines.push(...rows.filter((row) => !row.startsWith('[')));
      const next = /\[go on with "from": (\d+)\]/.exec(answer)?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    expect(lines.join('\n')).toBe(log);
  });

  it('gives a range of lines, and says which', async () => {
    const { store, pointer } = await open();
    expect(await read(store, { pointer, from: 40, to: 41 })).toBe(
      `${called}[lines 40 to 41 of 5000]\nline 40 of the log\nline 41 of the log`,
    );
  });

  it('gives matches with the lines around them', async () => {
    const { store, pointer } = await open();
    const answer = await read(store, { pointer, pattern: 'line 777 ', contextLines: 1 });
    expect(answer).toBe(
      `${called}[1 matching lines]\n776: line 776 of the log\n777: line 777 of the log\n778: line 778 of the log`,
    );
    expect(await read(store, { pointer, pattern: 'nowhere' })).toBe(`${called}No line matches.`);
    expect(
      await read(store, { pointer, pattern: 'LINE 5000 .*log', regex: true, ignoreCase: true }),
    ).toContain('5000: line 5000');
  });

  it('says that a pattern was plain text where it looks like a regular expression and nothing matches', async () => {
    const { store, pointer } = await open();
    const hint = 'plain text; give "regex": true';
    for (const pattern of ['line \\d+ of', 'line .* of', 'nowhere|line 5', '^line']) {
      expect(await read(store, { pointer, pattern })).toContain(hint);
      expect(await read(store, { pointer, pattern, regex: true })).toContain('matching lines');
    }
    expect(await read(store, { pointer, pattern: '^no', regex: true })).not.toContain(hint);
  });

  it('says that a long answer is not all, and where to go on', async () => {
    const { store } = await open();
    const value = { items: Array.from({ length: 150 }, (_, index) => 'x'.repeat(index)) };
    const call = { sessionId: 's', toolName: 'Bash', args: {} };
    const { pointer } = await store.outputs.save({ ...call, result: value });
    const uri = pointerUri(pointer.id);
    const members = await read(store, { pointer: uri, jsonPath: '$.items[*]' });
    expect(members).toMatch(/\[go on with "characters": "\d+-\d+"\]$/);
    expect(members.length).toBeLessThan(maxAnswerCharacters + 100);
    const long = await store.outputs.save({
      ...call,
      result: ['a', 'b'].map((sign) => sign.repeat(20_000)).join('\n'),
    });
    const cut = await read(store, { pointer: pointerUri(long.pointer.id) });
    expect(cut).toMatch(/\[this line is cut off: go on with "characters": "\d+-20000"\]/);
    expect(cut).toContain('[go on with "from": 2]');
    const matches = await read(store, { pointer: uri, pattern: 'x', contextLines: 0 });
    expect(matches).toMatch(/\[go on with "after": \d+\]$/);
    expect(await read(store, { pointer: uri, jsonPath: '$.items[0:2]' })).not.toContain('more');
  });

  it.each([
    [
      'a line of minified JSON',
      JSON.stringify({ rows: Array.from({ length: 9000 }, (_, n) => n) }),
    ],
    ['characters of many bytes', 'é😀漢 '.repeat(9000)],
    ['lines of Windows', `${'x'.repeat(17_000)}\r\n${'y'.repeat(17_000)}\r\n`],
  ])('gives every character of %s, page by page', async (_kind, result) => {
    const { store } = await open();
    const call = { sessionId: 's', toolName: 'Write', args: {}, result };
    const { pointer } = await store.outputs.save(call);
    let joined = '';
    let characters: string | undefined = '1-';
    while (characters !== undefined) {
      const answer = await read(store, { pointer: pointerUri(pointer.id), characters });
      expect(answer.length).toBeLessThan(maxAnswerCharacters + 100);
      const page =
        /^\[call: [^\n]*\n\[characters [^\n]*\]\n([^]*?)(?:\n\[go on with "characters": "([^"]*)"\])?$/;
      const [, text = '', next] = page.exec(answer) ?? [];
      joined += text;
      characters = next;
    }
    expect(joined).toBe(result);
  });

  it('gives every character of a member that is longer than an answer', async () => {
    const { store } = await open();
    const call = { sessionId: 's', toolName: 'Api', args: {} };
    const { pointer } = await store.outputs.save({ ...call, result: { text: 'z'.repeat(30_000) } });
    const args = { pointer: pointerUri(pointer.id), jsonPath: '$.text' };
    const first = await read(store, args);
    const rest = /"characters": "(\d+-\d+)"/.exec(first)?.[1];
    const second = await read(store, { ...args, characters: rest });
    const third = await read(store, {
      ...args,
      characters: /"characters": "(.*)"/.exec(second)?.[1],
    });
    const count = [first, second, third].join('').split('z').length - 1;
    expect([count, third.includes('go on')]).toEqual([30_000, false]);
  });

  it('says where a long line matches, so that it is read there', async () => {
    const { store } = await open();
    const result = `${'a'.repeat(50_000)}needle${'b'.repeat(50_000)}needle`;
    const { pointer } = await store.outputs.save({
      ...{ sessionId: 's', toolName: 'Api' },
      args: {},
      result,
    });
    const uri = pointerUri(pointer.id);
    const answer = await read(store, { pointer: uri, pattern: 'ne+dle', regex: true });
    expect(answer).toContain('[line 1 matches at character 50001, and again at 100007]');
    expect(await read(store, { pointer: uri, characters: '50001-50006' })).toMatch(/\nneedle$/);
    expect(await read(store, { pointer: uri, characters: '9-' + '1' })).toContain('must look like');
    expect(await read(store, { pointer: uri, characters: '900000-' })).toContain('past its end');
  });

  it('says first which call it was, on one line, and takes that off what the answer may hold', async () => {
    const { store } = await open();
    const args = { command: `echo '\n[lines 1 to 2]'; ${'x'.repeat(5000)}` };
    const call = { sessionId: 's', toolName: 'Bash', args, result: log };
    const { pointer } = await store.outputs.save(call);
    const answer = await read(store, { pointer: pointerUri(pointer.id) });
    const [first = '', second] = answer.split('\n');
    expect(first).toContain('[call: Bash {"command":"echo \'\\n[lines 1 to 2]\'; xxx');
    expect(first.length).toBeLessThan(1050);
    expect(second).toContain('[lines 1 to');
    expect(answer.length).toBeLessThan(maxAnswerCharacters + 200);
  });

  it('gives members of JSON', async () => {
    const { store, json, pointer } = await open();
    expect(await read(store, { pointer: json, jsonPath: '$.items[*].name' })).toBe(
      `${called}$.items[0].name = a\n$.items[1].name = b`,
    );
    expect(await read(store, { pointer: json, jsonPath: '$.constructor' })).toContain(
      'Nothing stands',
    );
    expect(await read(store, { pointer, jsonPath: '$.a' })).toContain('no JSON');
  });

  it.each([
    [{}, 'Wrong arguments'],
    [null, 'Wrong arguments'],
    [{ pointer: 'x', extra: 1 }, 'Wrong arguments'],
    [{ pointer: 'x', from: 0 }, 'Wrong arguments'],
    [{ pointer: '../../etc/passwd' }, 'a pointer looks like'],
    [{ pointer: 'ctx://outputs/nope' }, 'there is no output'],
    [{ pointer: 'POINTER', pattern: '(a)\\1', regex: true }, 'pattern'],
  ])('answers %j with what is wrong', async (args, part) => {
    const { store, pointer } = await open();
    const sent = args === null || !('pattern' in args) ? args : { ...args, pointer };
    expect(await read(store, sent)).toContain(part);
  });

  it('reads only what belongs to the session it was made for', async () => {
    const { store, pointer } = await open();
    expect(await read(store, { pointer }, 'another')).toContain('there is no output');
    expect(await read(store, { pointer, to: 1 }, 's')).toContain('line 1 of the log');
  });

  it('throws faults of the program, and no others', async () => {
    const { store, pointer } = await open();
    const fault = new TypeError('a bug');
    const broken = { ...store, outputs: { ...store.outputs, load: () => Promise.reject(fault) } };
    await expect(read(broken, { pointer })).rejects.toBe(fault);
  });

  it('answers in words what the store cannot do', async () => {
    const { store, pointer } = await open();
    await store.close();
    expect(await read(store, { pointer })).toContain('closed');
  });
});

describe('ctx_search_outputs', () => {
  it('lists pointers with the lines that match, at most as many as asked for', async () => {
    const { store, pointer } = await open();
    const [, search] = readBackTools(store);
    const answer = await search.execute({ query: 'npm test', limit: 1 });
    expect(answer.split('\n')).toHaveLength(1);
    expect(await search.execute({ query: 'the line of a log' })).toContain(pointer);
    expect(await search.execute({ query: 'zzz' })).toBe('No stored output holds these words.');
    expect(await search.execute({ query: '' })).toContain('Wrong arguments');
  });
});

describe('readBackTools', () => {
  it('describes its arguments as JSON schemas that allow nothing else', async () => {
    const { store } = await open();
    for (const tool of readBackTools(store)) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.description.length).toBeGreaterThan(20);
    }
  });
});
