import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli.ts';
import { claudeLog } from '../test-support/agent-logs.ts';
import { type FakeMachine, fakeHost, runOn } from '../test-support/fake-host.ts';
import {
  anthropicSession,
  longSession,
  makeFolder,
  writeJsonFile,
} from '../test-support/sample-transcripts.ts';

interface Prepared {
  readonly machine: FakeMachine;
  readonly folder: string;
  /** Id of the one output of session `one`. */
  readonly outputId: string;
}

const text = Array.from({ length: 12 }, (_, index) => `row ${String(index + 1)}`).join('\n');

/** A store with one imported session. */
async function prepare(result = text, more: Partial<FakeMachine> = {}): Promise<Prepared> {
  const folder = makeFolder();
  const machine: FakeMachine = { cwd: folder, env: { CTX_STORE: 'sqlite:ctx.db' }, ...more };
  writeJsonFile(folder, 'one.json', anthropicSession('one', result));
  const imported = await runOn(
    { ...machine, isTty: false },
    'import',
    'one.json',
    '--redact',
    'off',
  );
  expect(imported.exitCode).toBe(0);
  const listed = await runOn({ ...machine, isTty: false }, 'outputs', 'one', '--json');
  const { outputs } = JSON.parse(listed.stdout) as { outputs: { id: string }[] };
  return { machine, folder, outputId: outputs[0]?.id ?? '' };
}

describe('ctx import', () => {
  it('says what was imported as a table, and the receipt as a message', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'one.json', anthropicSession('one', text));
    const { exitCode, stdout, stderr } = await runOn(
      { cwd: folder },
      'import',
      'one.json',
      '--store',
      'fs:data',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'status    session  messages  outputs  tokens  format     file',
        'imported  one             5        1      47  anthropic  one.json',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe(
      [
        `1 session written to fs:${folder}/data: 5 messages, 1 tool output (74 B)`,
        'unchanged 0 · skipped 0 · failed 0',
        'repaired: none · unreadable records: none',
        'secrets redacted: none',
        '',
      ].join('\n'),
    );
  });

  it('takes folders, skips what is no transcript, and follows no link', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'in/deep'), { recursive: true });
    writeJsonFile(join(folder, 'in'), 'a.json', anthropicSession('a'));
    writeJsonFile(join(folder, 'in/deep'), 'b.json', anthropicSession('b'));
    writeFileSync(join(folder, 'in/readme.txt'), 'hello');
    writeJsonFile(folder, 'outside.json', anthropicSession('outside'));
    symlinkSync(join(folder, 'outside.json'), join(folder, 'in/link.json'));
    symlinkSync(folder, join(folder, 'in/folder'));
    const { exitCode, stdout } = await runOn(
      { cwd: folder },
      'import',
      'in',
      '--store',
      'fs:data',
      '--json',
    );
    const { files } = JSON.parse(stdout) as { files: { session?: string; status: string }[] };
    expect(exitCode).toBe(0);
    expect(files.map(({ session, status }) => [session, status])).toEqual([
      ['a', 'imported'],
      ['b', 'imported'],
      [undefined, 'skipped'],
    ]);
  });

  it('says that the folder for a page is missing, and not a file', async () => {
    const { machine } = await prepare();
    const run = await runOn(machine, 'replay', 'one.json', '--html', 'none/a.html');
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(/there is no folder \S+none for the page of --html\n {2}→ Check/);
  });

  it('names what it skipped below a folder: ten, or all of it', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'one.json', anthropicSession('one'));
    for (let index = 0; index < 12; index += 1) {
      writeFileSync(join(folder, `note-${String(index)}.json`), 'no transcript');
    }
    const short = await runOn({ cwd: folder }, 'import', '.', '--store', 'memory:');
    expect(short.stderr.match(/^skipped: note-\d+\.json: /gm)).toHaveLength(10);
    expect(short.stderr).toContain('and 2 more: --verbose names them all');
    const all = await runOn({ cwd: folder }, 'import', '.', '--store', 'memory:', '--verbose');
    expect(all.stderr.match(/^skipped: note-/gm)).toHaveLength(12);
  });

  it('goes on after a file that fails, and ends with its exit code', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'bad.json'), 'no transcript');
    writeJsonFile(folder, 'good.json', anthropicSession('good'));
    symlinkSync(join(folder, 'good.json'), join(folder, 'link.json'));
    const run = await runOn(
      { cwd: folder },
      'import',
      'bad.json',
      'good.json',
      '--store',
      'fs:data',
    );
    expect([run.exitCode, run.stdout]).toEqual([1, expect.stringContaining('imported  good')]);
    expect(run.stderr).toContain('failed: bad.json: The format cannot be told');
    const linked = await runOn({ cwd: folder }, 'import', 'link.json', '--store', 'fs:data');
    expect([linked.exitCode, linked.stderr]).toEqual([
      5,
      expect.stringContaining('links are not followed'),
    ]);
  });

  it.each([
    [['import', 'missing.json'], 3],
    [['import', '.', '--store', 'fs:data'], 3],
    [['import', 'a', '--redact', 'maybe'], 2],
    [['import'], 2],
    [['import', '/dev/null', '--store', 'fs:data'], 5],
  ])('%j ends with %i', async (argv, exitCode) => {
    expect((await runOn({ cwd: makeFolder() }, ...argv)).exitCode).toBe(exitCode);
  });
});

describe('lists', () => {
  it('ctx sessions shows ids and titles', async () => {
    const { machine } = await prepare();
    const { stdout } = await runOn(machine, 'sessions');
    expect(stdout).toMatch(
      /^session {2}last activity {9}title\none {6}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}Please fix the bug in parser\.ts\.\n$/,
    );
  });

  it('ctx outputs shows pointers, sizes and calls', async () => {
    const { machine, outputId } = await prepare();
    const { stdout } = await runOn(machine, 'outputs', 'one');
    const uri = `ctx://outputs/${outputId}`;
    const pad = ' '.repeat(uri.length - 'pointer'.length);
    expect(stdout).toBe(
      `pointer${pad}  tokens  lines  call\n${uri}      47     12  Read file_path=src/parser.ts\n`,
    );
  });

  it('ctx outputs filters by query and task, and pages', async () => {
    const folder = makeFolder();
    const machine = { cwd: folder };
    writeJsonFile(folder, 'long.json', longSession('long', 5));
    await runOn(machine, 'import', 'long.json', '--store', 'fs:data');
    const list = async (...flags: string[]) => {
      const { stdout } = await runOn(
        machine,
        'outputs',
        'long',
        '--store',
        'fs:data',
        '--json',
        ...flags,
      );
      return JSON.parse(stdout) as { outputs: { sequence: number }[]; next?: string };
    };
    const first = await list('--limit', '2');
    const second = await list('--limit', '3', '--after', first.next ?? '');
    expect([...first.outputs, ...second.outputs].map(({ sequence }) => sequence)).toEqual([
      0, 1, 2, 3, 4,
    ]);
    expect(second.next).toBeUndefined();
    expect((await list('--query', 'turn-1')).outputs).toHaveLength(5);
    expect((await list('--query', 'turn-2')).outputs).toHaveLength(0);
    expect((await list('--task', 'x')).outputs).toHaveLength(0);
  });

  it('ctx search finds an output by a word of its result', async () => {
    const { machine, outputId } = await prepare('the quick zebra\njumps');
    const { stdout } = await runOn(machine, 'search', 'zebra', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      words: 'zebra',
      hits: [{ output: { id: outputId }, line: { line: 1, text: 'the quick zebra' } }],
    });
    const shown = await runOn(machine, 'search', 'quick', 'zebras');
    expect(shown.stdout).toMatch(/\n {2}1: the quick zebra\n$/);
    const terminal = { ...machine, isTty: true, columns: 60 };
    const bold = await runOn(terminal, 'search', 'quick', 'zebras');
    expect(bold.stdout).toContain('  1: the \u001b[1mquick\u001b[22m \u001b[1mzebra\u001b[22m\n');
    const plain = await runOn(terminal, 'search', 'quick', 'zebras', '--no-color');
    for (const line of plain.stdout.split('\n')) {
      // A pointer is whole, so that it can be copied.
      if (!/^ *ctx:\S+$/.test(line)) expect(line.length).toBeLessThanOrEqual(60);
    }
    const none = await runOn(machine, 'search', 'giraffe');
    expect([none.exitCode, none.stdout, none.stderr]).toEqual([
      0,
      '',
      'Nothing found for: giraffe\n',
    ]);
  });

  it('ctx show gives the session and its log', async () => {
    const { machine, outputId } = await prepare();
    const { stdout } = await runOn(machine, 'show', 'on');
    expect(stdout).toContain('session   one\ntitle     Please fix the bug in parser.ts.\n');
    expect(stdout).toContain(`← ${outputId}`);
    expect(stdout).toContain('outputs   1, 47 tokens, 74 B');
    const page = await runOn(machine, 'show', 'one', '--from', '2', '--limit', '2', '--json');
    const { events, next } = JSON.parse(page.stdout) as {
      events: { sequence: number }[];
      next: number;
    };
    expect([events.map(({ sequence }) => sequence), next]).toEqual([[2, 3], 4]);
  });

  it('ctx stats counts', async () => {
    const { machine } = await prepare();
    const { stdout } = await runOn(machine, 'stats', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      backend: 'store-sqlite',
      sessions: 1,
      outputs: 1,
      outputBytes: 74,
    });
  });
});

describe('ctx read', () => {
  it('gives a pipe the whole output, byte for byte', async () => {
    const odd = 'no line end \u001b[31m\u202e\r\n\n';
    const { machine, outputId } = await prepare(odd);
    expect((await runOn(machine, 'read', `ctx://outputs/${outputId}`)).stdout).toBe(odd);
  });

  it('shows a terminal pages, with control and bidi signs made visible', async () => {
    const long = Array.from(
      { length: 3000 },
      (_, index) => `row ${String(index)} \u001b[2J\u202e`,
    ).join('\n');
    const { machine, outputId } = await prepare(long, { isTty: true });
    const { stdout, stderr } = await runOn(machine, 'read', outputId);
    expect(stdout).toContain('row 0 \\u001b[2J\\u202e\n');
    expect(stdout.length).toBeLessThan(40_000);
    expect(stderr).toMatch(
      /^Result of: Read \{"file_path":"src\/[^\n]+\nLines 1–[\d,]+ of 3,000\. More: --lines \d+-\n$/,
    );
    const next = /--lines (\d+)-/.exec(stderr)?.[1] ?? '';
    expect((await runOn(machine, 'read', outputId, '--lines', `${next}-`)).stdout).toContain(
      `row ${String(Number(next) - 1)} `,
    );
  });

  it.each([
    [['--characters', '5-9'], '1\nrow'],
    [['--lines', '3-4'], 'row 3\nrow 4\n'],
    [['--lines', '12'], 'row 12\n'],
    [['--lines', '11-'], 'row 11\nrow 12\n'],
    [['--lines', '11-99'], 'row 11\nrow 12\n'],
    [['--grep', '1$'], '1:row 1\n11:row 11\n'],
    [['--grep', '^row (2|12)$'], '2:row 2\n12:row 12\n'],
    [['--grep', 'nothing'], ''],
  ])('%j gives %j', async (flags, part) => {
    const { machine, outputId } = await prepare();
    expect((await runOn(machine, 'read', outputId, ...flags)).stdout).toBe(part);
  });

  it('says with --json what the tool was called with', async () => {
    const { machine, outputId } = await prepare();
    const { stdout } = await runOn(machine, 'read', outputId, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ args: { file_path: 'src/parser.ts' } });
  });

  it('reads values of JSON by path', async () => {
    const { machine, outputId } = await prepare('{"files":[{"name":"a"},{"name":"b","size":3}]}');
    const read = async (path: string) =>
      (await runOn(machine, 'read', outputId, '--json-path', path)).stdout;
    expect(await read('files[*].name')).toBe('a\nb\n');
    expect(await read('files[1]')).toBe('{\n  "name": "b",\n  "size": 3\n}\n');
    expect(await read('__proto__')).toBe('');
  });

  it.each([
    [['read', 'no-such-output'], 3],
    [['read', '../../etc/passwd'], 2],
    [['read', 'x', '--lines', '0-3'], 2],
    [['read', 'x', '--characters', '1-2', '--lines', '1'], 2],
    [['read', 'x', '--lines', 'all'], 2],
    [['read', 'x', '--lines', '5-3'], 2],
    [['read', 'x', '--lines', '1', '--grep', 'a'], 2],
    [['show', 'nobody'], 3],
    [['sessions', '--limit', '0'], 2],
    [['sessions', '--after', 'nonsense'], 2],
    [['outputs', '--query', 'x'], 2],
    [['sessions', '--store', 'postgres:x'], 2],
    [['sessions', '--store', 'fs:nothing-here'], 3],
    [['schema', 'nothing'], 3],
    [['migrate', '--from', 'sqlite:ctx.db', '--to', 'sqlite:./ctx.db'], 2],
    [['migrate', '--from', 'sqlite:none.db', '--to', 'fs:x'], 3],
    [['replay'], 2],
    [['replay', 'one.json', '--policy', 'best'], 2],
    [['replay', 'one.json', '--price', 'free'], 2],
    [['fit', 'one.json'], 2],
    [['fit', 'one.json', '--budget', '10'], 1],
    [['conform'], 2],
    [['conform', 'missing.js'], 3],
    [['nonsense'], 2],
    [['sessions', '--nonsense'], 2],
  ])('%j ends with %i', async (argv, exitCode) => {
    const { machine } = await prepare();
    const run = await runOn(machine, ...argv);
    expect([run.exitCode, run.stdout]).toEqual([exitCode, '']);
    expect(run.stderr).not.toBe('');
  });
});

describe('a search', () => {
  it('takes what the shell had in quotes for a phrase, and says what holds less', async () => {
    const { machine } = await prepare('dial tcp: connection refused\nthe request was refused');
    const search = async (...words: string[]) => {
      const { stdout } = await runOn(machine, 'search', ...words);
      const { hits } = JSON.parse((await runOn(machine, 'search', ...words, '--json')).stdout) as {
        hits: { match: string }[];
      };
      return [stdout.split('\n')[1] ?? '', hits.map(({ match }) => match)];
    };
    expect(await search('connection refused')).toEqual([
      expect.stringContaining('ctx://'),
      ['all'],
    ]);
    const words = ['No hit holds the phrase as quoted. These hold all of the words:', ['words']];
    expect(await search('request refused')).toEqual(words);
    expect(await search('"request refused"')).toEqual(words);
    const some = ['No hit holds all of the words. These hold some of them:', ['some']];
    expect(await search('request', 'zeppelin')).toEqual(some);
  });

  it('shows what two sessions hold alike once, and says so', async () => {
    const { machine } = await prepare('the quick zebra');
    writeJsonFile(machine.cwd, 'two.json', anthropicSession('two', 'the quick zebra'));
    await runOn(machine, 'import', 'two.json');
    const { stdout, stderr } = await runOn(machine, 'search', 'zebra');
    expect(stdout.match(/ctx:\/\//g)).toHaveLength(1);
    expect(stderr).toBe('1 copy in other sessions left out: --session shows them.\n');
    const named = await runOn(machine, 'search', 'zebra', '--session', 'two');
    expect(named.stdout.match(/ctx:\/\//g)).toHaveLength(1);
    expect(named.stderr).toBe('');
  });

  it('of items says which hold less', async () => {
    const { machine } = await prepare();
    for (const content of ['a syntax error in the parser', 'the parser has an error']) {
      await runOn(machine, 'save', '--agent', 'ada', '--kind', 'NOTE', content);
    }
    const search = ['items', '--agent', 'ada', '--search', 'syntax error'];
    const { stdout } = await runOn(machine, ...search);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[1]).toContain('a syntax error');
    expect(lines[2]).toBe('These hold only some of the words:');
    const { matches } = JSON.parse((await runOn(machine, ...search, '--json')).stdout) as {
      matches: string[];
    };
    expect(matches).toEqual(['all', 'some']);
  });
});

describe('a list that ends at its limit', () => {
  it('says that there may be more, and a search names the session', async () => {
    const { machine } = await prepare();
    const found = await runOn(machine, 'search', 'row', '--limit', '1');
    expect(found.stdout).toMatch(/ctx:\/\/outputs\/\S+ +one /);
    expect(found.stderr).toBe('');
    const listed = await runOn(machine, 'outputs', '--limit', '1');
    expect(listed.stderr).toBe('There may be more: raise --limit.\n');
  });
});

describe('mistakes in a call', () => {
  it.each([
    [['sessions', '--nonsense', '--json'], 'nonsense'],
    [['fit', 'one.json', '--json'], 'budget'],
    [['export', 'one', '--format', 'xml', '--json'], 'xml'],
    [['export', 'one', '--out', 'one.json', '--json'], 'exists already'],
    [['export', 'one', '--out', 'none/a.json', '--json'], 'folder that does not exist'],
    [['fit', '.', '--budget', '9', '--json'], 'is a folder', 'CTX_INVALID_FILE'],
    [['replay', 'empty', '--json'], 'no transcripts in empty'],
  ])('%j are one line of JSON', async (argv, message, code = 'CTX_USAGE') => {
    const { machine, folder } = await prepare();
    mkdirSync(join(folder, 'empty'));
    const run = await runOn(machine, ...argv);
    expect([run.exitCode, run.stdout, run.stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: { code, message: expect.stringContaining(message) as string },
    });
  });
});

describe('a terminal', () => {
  it('gets bold heads and a table as wide as it is; NO_COLOR and --no-color take the colours away', async () => {
    const { machine } = await prepare(text, { isTty: true, columns: 93 });
    const coloured = await runOn(machine, 'outputs', 'one');
    expect(coloured.stdout).toContain('…\n');
    expect(coloured.stdout.startsWith('\u001b[1mpointer\u001b[22m')).toBe(true);
    expect(coloured.stdout).not.toContain('\\u001b');
    const plain = await runOn(
      { ...machine, env: { ...machine.env, NO_COLOR: '1' } },
      'outputs',
      'one',
    );
    const narrow = await runOn({ ...machine, columns: 60 }, 'outputs', 'one');
    expect(narrow.stdout).toContain('  47  12\n  Read file_path=src/parser.ts\n');
    const flagged = await runOn(machine, 'outputs', 'one', '--no-color');
    expect(plain.stdout).not.toContain('\u001b');
    expect(flagged.stdout).toBe(plain.stdout);
  });
});

describe('ctx migrate', () => {
  it('copies there and back, says that both are identical, and goes on where it was', async () => {
    const { machine } = await prepare();
    const there = await runOn(
      machine,
      'migrate',
      '--from',
      'sqlite:ctx.db',
      '--to',
      'fs:copy',
      '--verify',
    );
    expect(there.stdout).toMatch(
      /^\d+ records copied, 0 were there already \(1 tenant\)\n\d+ records compared both ways: identical\n$/,
    );
    const again = await runOn(
      machine,
      'migrate',
      '--from',
      'sqlite:ctx.db',
      '--to',
      'fs:copy',
      '--json',
    );
    expect(JSON.parse(again.stdout)).toMatchObject({ copied: 0, differences: [] });
  });

  it('asks before it writes older sessions over newer ones', async () => {
    const { machine, folder } = await prepare();
    await runOn(machine, 'migrate', '--from', 'sqlite:ctx.db', '--to', 'fs:copy');
    writeJsonFile(folder, 'one.json', anthropicSession('one', 'changed'));
    await runOn(machine, 'import', 'one.json', '--store', 'fs:copy');
    const argv = ['migrate', '--from', 'sqlite:ctx.db', '--to', 'fs:copy'];
    expect((await runOn(machine, ...argv)).exitCode).toBe(5);
    expect((await runOn({ ...machine, answer: false }, ...argv)).exitCode).toBe(5);
    expect((await runOn({ ...machine, answer: true }, ...argv)).exitCode).toBe(0);
    expect((await runOn(machine, ...argv, '--yes')).exitCode).toBe(0);
  });
});

describe('ctx export', () => {
  it('gives back what was imported', async () => {
    const { machine, folder } = await prepare();
    const { stdout } = await runOn(machine, 'export', 'one');
    expect(JSON.parse(stdout)).toEqual(anthropicSession('one', text));
    const file = await runOn(machine, 'export', 'one', '--out', join(folder, 'one.json'));
    expect([file.exitCode, file.stderr]).toEqual([2, expect.stringContaining('exists already')]);
    const other = await runOn(machine, 'export', 'one', '--format', 'xml');
    expect(other.stderr).toContain('There is no format named xml. There are ai-sdk-model, ');
  });

  it('writes the lines of a log one by one, to standard output or to a new file', async () => {
    const cwd = makeFolder();
    const machine = { cwd, env: { CTX_STORE: 'fs:data' } };
    writeFileSync(join(cwd, 'live.jsonl'), claudeLog(40));
    await runOn(machine, 'import', 'live.jsonl');
    const host = fakeHost(machine);
    const writes: string[] = [];
    const out = { ...host.out, write: async (part: string) => void writes.push(part) };
    expect(await runCli(['export', 'live'], { ...host, out }, '1.2.3')).toBe(0);
    expect(writes).toHaveLength(160);
    const linesOf = (written: string): unknown[] =>
      written
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
    expect(linesOf(writes.join(''))).toEqual(linesOf(claudeLog(40)));
    expect((await runOn(machine, 'export', 'live', '--out', 'again.jsonl')).exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'again.jsonl'), 'utf8')).toBe(writes.join(''));
    // What came from elsewhere is written as a whole.
    const chat = await runOn(machine, 'export', 'live', '--format', 'openai-chat');
    expect(JSON.parse(chat.stdout)).toHaveLength(120);
  });
});

describe('ctx fit', () => {
  it('writes the conversation in its own format, with every other field', async () => {
    const folder = makeFolder();
    const machine = { cwd: folder, env: { CTX_STORE: 'fs:data' } };
    const session = {
      ...(longSession('long', 12) as object),
      meta: { kept: true },
      system: 'Be brief.',
    };
    writeJsonFile(folder, 'long.json', session);
    const { exitCode, stdout, stderr } = await runOn(
      machine,
      'fit',
      'long.json',
      '--budget',
      '3000',
      '--json',
    );
    const receipt = JSON.parse(stderr) as {
      tokensAfter: number;
      tokensBefore: number;
      fits: boolean;
    };
    expect([exitCode, receipt.fits, receipt.tokensAfter <= 3000]).toEqual([0, true, true]);
    const fitted = JSON.parse(stdout) as { messages: unknown[] };
    expect(fitted).toMatchObject({ id: 'long', meta: { kept: true }, system: 'Be brief.' });
    writeFileSync(join(folder, 'fitted.json'), stdout);
    const again = await runOn(machine, 'fit', 'fitted.json', '--budget', '3000');
    expect(again.stdout).toBe(stdout);
  });

  it('keeps an OpenAI chat an OpenAI chat', async () => {
    const folder = makeFolder();
    const chat = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'find', arguments: '{"q":"x"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: 'row\n'.repeat(3000) },
      { role: 'assistant', content: 'Done.' },
    ];
    writeJsonFile(folder, 'chat.json', chat);
    const { stdout } = await runOn(
      { cwd: folder },
      'fit',
      'chat.json',
      '--budget',
      '1500',
      '--store',
      'fs:data',
    );
    const fitted = JSON.parse(stdout) as { role: string; content: string }[];
    expect(fitted.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(fitted[3]?.content).toContain('ctx://outputs/');
  });
});

describe('ctx replay', () => {
  it('compares the policies in a table, with an aid to read it', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'long.json', longSession('long', 6, 800));
    const { exitCode, stdout, stderr } = await runOn({ cwd: folder }, 'replay', 'long.json');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('redaction off')]);
    const words = ['policy', 'none', 'classic', 'recipe', 'offload', 'ctx'];
    const firstWords = (text: string) =>
      text.split('\n').flatMap((line) => /^\w+/.exec(line)?.[0] ?? []);
    expect(firstWords(stdout)).toEqual(expect.arrayContaining(words));
    expect(stdout).not.toContain('How to read this');
    const wide = await runOn({ cwd: folder }, 'replay', 'long.json', '--wide');
    expect(firstWords(wide.stdout)).toEqual(expect.arrayContaining(words));
    expect(wide.stdout).toContain('How to read this');
  });

  it('writes every request of every policy, and sums sessions', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'a.json', longSession('a/1', 3));
    writeJsonFile(folder, 'b.json', longSession('b', 4));
    writeJsonFile(folder, 'times.json', { b: [0, 1, 2, 400, 401] });
    const argv = [
      'a.json',
      'b.json',
      '--times',
      'times.json',
      '--policy',
      'offload,none',
      '--requests-out',
      'requests',
      '--json',
    ];
    const { stdout } = await runOn({ cwd: folder }, 'replay', ...argv);
    const answer = JSON.parse(stdout) as {
      sessions: { id: string; times: string; requests: number }[];
      totals: { policy: string; requests: number; invalid: number }[];
    };
    expect(answer.sessions.map(({ id, times, requests }) => [id, times, requests])).toEqual([
      ['a/1', '20 s a step', 4],
      ['b', 'file', 5],
    ]);
    expect(
      answer.totals.map(({ policy, requests, invalid }) => [policy, requests, invalid]),
    ).toEqual([
      ['none', 9, 0],
      ['offload', 9, 0],
    ]);
    const { readdirSync, readFileSync, statSync } = await import('node:fs');
    const files = readdirSync(join(folder, 'requests')).sort();
    expect(files).toHaveLength(4);
    expect(files).toEqual(expect.arrayContaining(['b.none.jsonl', 'b.offload.jsonl']));
    expect(files.map((name) => statSync(join(folder, 'requests', name)).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600, 0o600,
    ]);
    const lines = readFileSync(join(folder, 'requests/b.none.jsonl'), 'utf8').trimEnd().split('\n');
    const requests = lines.map((line) => JSON.parse(line) as { time: number; messages: unknown[] });
    expect(requests.map(({ time }) => time)).toEqual([0, 1, 2, 400, 401]);
    const { messages } = longSession('b', 4) as { messages: { role: string }[] };
    expect(requests.at(-1)?.messages).toHaveLength(messages.length - 1);
    expect(requests[1]?.messages.slice(1)).toEqual(messages.slice(1, 3));
  });
});

describe('ctx fit refuses', () => {
  it('a store that ends with the command, since pointers into it would lead nowhere', async () => {
    const { machine } = await prepare();
    const small = ['--budget', '3000', '--store', 'memory:'];
    writeJsonFile(machine.cwd, 'long.json', longSession('long', 12));
    const run = await runOn(machine, 'fit', 'long.json', ...small);
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('not memory:')]);
  });

  it('a file with several sessions', async () => {
    const folder = makeFolder();
    const chat = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ];
    writeJsonFile(
      folder,
      'list.json',
      [{ traj: chat }, { traj: chat }].map(({ traj }) => ({ messages: traj })),
    );
    const run = await runOn(
      { cwd: folder },
      'fit',
      'list.json',
      '--budget',
      '9000',
      '--store',
      'fs:x',
    );
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('holds 2 sessions')]);
  });
});

describe('ctx read --grep', () => {
  it('answers at once for a pattern that a backtracking engine would never finish', async () => {
    const { machine, outputId } = await prepare(`${'a'.repeat(5_000)}!\nplain`);
    const run = await runOn(machine, 'read', outputId, '--grep', '^(a+)+$');
    expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, '', 'no line matches\n']);
  });

  it('shows a terminal the first matches and says how many there are', async () => {
    const { machine, outputId } = await prepare('x\n'.repeat(500), { isTty: true });
    const { stdout, stderr } = await runOn(machine, 'read', outputId, '--grep', 'x');
    expect(stdout.trimEnd().split('\n')).toHaveLength(200);
    expect(stderr).toContain('\nThe first 200 of 500 lines; a pipe gets all.\n');
  });

  it('refuses what it does not understand', async () => {
    const { machine, outputId } = await prepare();
    expect((await runOn(machine, 'read', outputId, '--grep', '(')).exitCode).toBe(2);
  });
});

describe('ctx replay again', () => {
  it('gives the same figures', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'long.json', longSession('long', 4, 900));
    const replay = async () =>
      (await runOn({ cwd: folder }, 'replay', 'long.json', '--json')).stdout;
    const first = await replay();
    expect(JSON.parse(first)).toMatchObject({ sessions: [{ saved: { offloaded: 4 } }] });
    expect(await replay()).toBe(first);
  });
});

describe('ctx replay of two files with one id', () => {
  it('tells them apart', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'a.json', longSession('same', 2));
    writeJsonFile(folder, 'b.json', longSession('same', 3));
    const run = await runOn({ cwd: folder }, 'replay', 'a.json', 'b.json', '--json');
    const { sessions } = JSON.parse(run.stdout) as { sessions: { id: string; requests: number }[] };
    expect(sessions.map(({ id, requests }) => [id, requests])).toEqual([
      ['same', 3],
      ['same-2', 4],
    ]);
    const file = await runOn({ cwd: folder }, 'replay', 'a.json', '--requests-out', 'a.json');
    expect(file.exitCode).toBe(1);
  });
});

describe('ctx replay on a narrow terminal', () => {
  it('gives each policy a column', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'long.json', longSession('long', 3));
    const { stdout } = await runOn(
      { cwd: folder, isTty: true, columns: 80 },
      'replay',
      'long.json',
      '--no-color',
      '--wide',
    );
    const lines = stdout.split('\n');
    const [head = '', first = ''] = lines.slice(lines.indexOf('') + 1);
    expect(head).toMatch(/^policy +none +classic +recipe +offload +ctx$/);
    expect(first).toMatch(/^requests +4 +4 +4 +4 +4$/);
  });
});

describe('ctx replay --demo', () => {
  it('keeps the outputs of the demo, so that they can be looked at', async () => {
    const cwd = makeFolder();
    const { exitCode, stdout } = await runOn(
      { cwd },
      'replay',
      '--demo',
      '--policy',
      'offload',
      '--json',
    );
    const { store } = JSON.parse(stdout) as { store: string };
    expect([exitCode, store]).toEqual([0, expect.stringContaining('/home/data/demo.db')]);
    const listed = await runOn(
      { cwd },
      'sessions',
      '--store',
      'sqlite:home/data/demo.db',
      '--json',
    );
    const { sessions } = JSON.parse(listed.stdout) as { sessions: { id: string }[] };
    expect(sessions.map(({ id }) => id.startsWith('replay-'))).toEqual([true]);
  });
});
