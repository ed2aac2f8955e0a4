import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryHandlers } from './memory-handlers.ts';
import { type MemoryOptions, openMemory } from './open-memory.ts';

async function open(options: MemoryOptions = {}) {
  let now = 1000;
  const store = await openStore(memoryBackend(), { clock: () => (now += 1) });
  return openMemory(store, options);
}

async function handlers(options: MemoryOptions = {}): Promise<MemoryHandlers> {
  return (await open(options)).handlers;
}

const refusal = (code: string, text: string | RegExp): unknown =>
  expect.objectContaining({ code, message: expect.stringMatching(text) as unknown });

describe('the six commands', () => {
  it('make, show, change, move and delete files', async () => {
    const memory = await handlers();
    const path = '/memories/notes.md';
    expect(await memory.create({ path, file_text: 'one\ntwo\nthree' })).toBe(
      'File created successfully at: /memories/notes.md',
    );
    expect(await memory.view({ path })).toBe(
      "Here's the content of /memories/notes.md with line numbers:\n     1\tone\n     2\ttwo\n     3\tthree",
    );
    expect(await memory.view({ path, view_range: [2, -1] })).toMatch(
      /:\n {5}2\ttwo\n {5}3\tthree$/,
    );
    expect(await memory.str_replace({ path, old_str: 'two', new_str: '2\n2' })).toBe(
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tone\n     2\t2\n     3\t2\n     4\tthree',
    );
    expect(await memory.insert({ path, insert_line: 0, insert_text: 'zero\n' })).toBe(
      'The file /memories/notes.md has been edited.',
    );
    const moved = { old_path: path, new_path: '/memories/old/notes.md' };
    expect(await memory.rename(moved)).toMatch(/^Successfully renamed/);
    expect(await memory.view({ path: '/memories/old/notes.md' })).toMatch(/1\tzero\n/);
    expect(await memory.delete({ path: '/memories/old' })).toBe(
      'Successfully deleted /memories/old',
    );
    expect(await memory.view({ path: '/memories' })).toMatch(/\n0B\t\/memories$/);
  });

  it('show a folder two levels deep with sizes, without what is hidden', async () => {
    const memory = await handlers();
    for (const [name, text] of [
      ['a.md', 'x'.repeat(2048)],
      ['dir/b.md', 'bb'],
      ['dir/deep/c.md', 'ccc'],
      ['.hidden/d.md', 'd'],
      ['dir/node_modules/e.js', 'e'],
    ] as const) {
      await memory.create({ path: `/memories/${name}`, file_text: text });
    }
    expect(await memory.view({ path: '/memories' })).toBe(
      [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        '2.0K\t/memories',
        '2K\t/memories/a.md',
        '5B\t/memories/dir/',
        '2B\t/memories/dir/b.md',
        '3B\t/memories/dir/deep/',
      ].join('\n'),
    );
    expect(await memory.view({ path: '/memories/dir/deep' })).toMatch(
      /3B\t\/memories\/dir\/deep\/c\.md$/,
    );
  });

  it('show a large file page by page', async () => {
    const memory = await handlers({ policy: { maxViewCharacters: 100 } });
    const lines = Array.from({ length: 30 }, (_, index) => `line ${String(index + 1)}`);
    await memory.create({ path: '/memories/a', file_text: lines.join('\n') });
    let seen = '';
    let range: [number, number] | undefined;
    for (let pages = 0; pages < 20; pages += 1) {
      const page = await memory.view({
        path: '/memories/a',
        ...(range === undefined ? {} : { view_range: range }),
      });
      expect(page.length).toBeLessThan(300);
      seen += `${page}\n`;
      const next = /view_range \[(\d+), (\d+)\]/.exec(page);
      if (next === null) break;
      range = [Number(next[1]), Number(next[2])];
    }
    for (const line of lines) expect(seen).toMatch(new RegExp(`\\t${line}\\n`));
  });

  it('say how much of a very long line a look leaves out', async () => {
    const memory = await handlers({ policy: { maxViewCharacters: 100 } });
    const path = '/memories/data.json';
    await memory.create({ path, file_text: `short\n${'x'.repeat(250)}\nend` });
    const shown = await memory.view({ path, view_range: [2, 2] });
    expect(shown).toMatch(
      /\n {5}2\tx{100}\n\[line 2 has 250 characters; 150 of them are not shown\]$/,
    );
    expect(await memory.view({ path, view_range: [3, 3] })).toMatch(/\n {5}3\tend$/);
  });

  it('say so where a look begins behind the end of a file', async () => {
    const memory = await handlers();
    const path = '/memories/a.md';
    await memory.create({ path, file_text: 'one\ntwo' });
    const look = memory.view({ path, view_range: [5, 9] });
    await expect(look).rejects.toEqual(refusal('CTX_INVALID_ADDRESS', /has 2 lines/));
  });

  it('say what to do where they cannot be done', async () => {
    const memory = await handlers();
    const path = '/memories/a';
    await memory.create({ path, file_text: 'same\nother\nsame' });
    const wrong: (readonly [Promise<string>, string, RegExp])[] = [
      [memory.create({ path, file_text: '' }), 'CTX_INVALID_INPUT', /already exists/],
      [memory.create({ path: '/memories/a/b', file_text: '' }), 'CTX_INVALID_INPUT', /is a file/],
      [memory.view({ path: '/memories/b' }), 'CTX_NOT_FOUND', /does not exist/],
      [memory.view({ path: '/etc/passwd' }), 'CTX_NOT_ALLOWED', /must start with \/memories/],
      [
        memory.str_replace({ path, old_str: 'same', new_str: '' }),
        'CTX_INVALID_INPUT',
        /Multiple occurrences .* in lines: 1, 3\. Please ensure it is unique/,
      ],
      [
        memory.str_replace({ path, old_str: 'none', new_str: '' }),
        'CTX_INVALID_INPUT',
        /did not appear verbatim in \/memories\/a/,
      ],
      [memory.str_replace({ path, old_str: '', new_str: '' }), 'CTX_INVALID_INPUT', /old_str/],
      [
        memory.insert({ path, insert_line: 4, insert_text: '' }),
        'CTX_INVALID_INPUT',
        /within the range of lines of the file: \[0, 3\]/,
      ],
      [
        memory.insert({ path: '/memories', insert_line: 0, insert_text: '' }),
        'CTX_INVALID_INPUT',
        /not a file/,
      ],
      [memory.delete({ path: '/memories' }), 'CTX_NOT_ALLOWED', /Cannot delete/],
      [memory.delete({ path: '/memories/b' }), 'CTX_NOT_FOUND', /does not exist/],
      [
        memory.rename({ old_path: '/memories', new_path: '/memories/x' }),
        'CTX_NOT_ALLOWED',
        /Cannot rename/,
      ],
      [memory.rename({ old_path: path, new_path: path }), 'CTX_INVALID_INPUT', /same place/],
      [
        memory.rename({ old_path: '/memories/b', new_path: '/memories/c' }),
        'CTX_NOT_FOUND',
        /does not exist/,
      ],
      [memory.view({ path: 3 } as never), 'CTX_INVALID_INPUT', /Wrong arguments/],
    ];
    for (const [doing, code, text] of wrong)
      await expect(doing).rejects.toEqual(refusal(code, text));
    expect(await memory.view({ path })).toMatch(/same\n.*other\n.*same$/);
  });

  it('overwrite nothing by a move', async () => {
    const memory = await handlers();
    await memory.create({ path: '/memories/a', file_text: 'a' });
    await memory.create({ path: '/memories/dir/b', file_text: 'b' });
    const over = memory.rename({ old_path: '/memories/a', new_path: '/memories/dir' });
    await expect(over).rejects.toEqual(refusal('CTX_INVALID_INPUT', /already exists/));
    const into = memory.rename({ old_path: '/memories/dir', new_path: '/memories/dir/c' });
    await expect(into).rejects.toEqual(refusal('CTX_INVALID_INPUT', /within it/));
  });

  it('replace over line ends, and take what looks like a pattern literally', async () => {
    const memory = await handlers();
    const path = '/memories/a';
    await memory.create({ path, file_text: 'one\ntwo\nthree' });
    await memory.str_replace({ path, old_str: 'one\ntwo', new_str: "$& $' $` $$ {messages}" });
    expect(await memory.view({ path })).toMatch(/\t\$& \$' \$` \$\$ \{messages\}\n.*\tthree$/);
  });
});

describe('a memory', () => {
  it('keeps the files of each tenant apart', async () => {
    const store = await openStore(memoryBackend());
    const ours = openMemory(store, { tenant: 'ours' });
    const theirs = openMemory(store, { tenant: 'theirs' });
    await ours.write('/memories/a', 'ours');
    expect(await theirs.read('/memories/a')).toBeUndefined();
    expect(await theirs.list()).toEqual([]);
    expect(await ours.list()).toMatchObject([{ path: '/memories/a', bytes: 4 }]);
  });

  it('keeps within its quotas, and lets files be made smaller when it is over them', async () => {
    const policy = { maxFiles: 2, maxFileBytes: 10, maxBytes: 15 };
    const whole = await open({ policy });
    const { handlers: memory } = whole;
    await memory.create({ path: '/memories/a', file_text: '1234567890' });
    const large = memory.insert({ path: '/memories/a', insert_line: 0, insert_text: 'é' });
    await expect(large).rejects.toEqual(refusal('CTX_TOO_LARGE', /10 are allowed/));
    const full = memory.create({ path: '/memories/b', file_text: '123456' });
    await expect(full).rejects.toEqual(refusal('CTX_STORE_FULL', /15 are allowed/));
    await memory.create({ path: '/memories/b', file_text: '' });
    const third = memory.create({ path: '/memories/c', file_text: '' });
    await expect(third).rejects.toEqual(refusal('CTX_STORE_FULL', /2 files/));
    await memory.str_replace({ path: '/memories/a', old_str: '90', new_str: '' });
    expect(await whole.use()).toEqual({ files: 2, bytes: 8, changes: 3 });
  });

  it('lets a file that was allowed to be larger be made smaller, and no larger', async () => {
    const store = await openStore(memoryBackend());
    const path = '/memories/a.md';
    const before = openMemory(store);
    await before.handlers.create({ path, file_text: 'x'.repeat(50) });
    const { handlers: now } = openMemory(store, { policy: { maxFileBytes: 10 } });
    await now.str_replace({ path, old_str: 'x'.repeat(50), new_str: 'y'.repeat(40) });
    const larger = now.insert({ path, insert_line: 0, insert_text: 'z' });
    await expect(larger).rejects.toEqual(refusal('CTX_TOO_LARGE', /10 are allowed/));
    expect(await before.read(path)).toBe('y'.repeat(40));
  });

  it('keeps no secret, and says so', async () => {
    const whole = await open({ redactor: createRedactor() });
    const { handlers: memory } = whole;
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const path = '/memories/keys.md';
    const answer = await memory.create({ path, file_text: `token: ${secret}` });
    expect(answer).toMatch(/A secret was taken out/);
    expect(await whole.read(path)).toMatch(/^token: \[redacted: /);
    // Half of it now and half later is still a secret.
    await memory.insert({ path, insert_line: 1, insert_text: secret.slice(0, 20) });
    await memory.str_replace({ path, old_str: secret.slice(0, 20), new_str: secret });
    expect(await whole.read(path)).not.toContain(secret);
  });

  it('keeps what changes took away, as far back as it should', async () => {
    const memory = await open({ policy: { keptChanges: 3 } });
    const path = '/memories/a';
    for (const text of ['1', '2', '3', '4']) await memory.write(path, text);
    await memory.handlers.delete({ path });
    expect(await memory.versions(path)).toMatchObject([
      { command: 'delete', before: '4' },
      { command: 'write', before: '3' },
      { command: 'write', before: '2' },
    ]);
    expect((await memory.use()).changes).toBe(5);
  });

  it('keeps 10 of 10 lines that are inserted at the same time, also by others', async () => {
    const place = createMemoryPlace();
    const path = '/memories/log';
    const one = openMemory(await openStore(memoryBackend({ place })));
    const other = openMemory(await openStore(memoryBackend({ place })));
    await one.handlers.create({ path, file_text: '' });
    const lines = Array.from({ length: 10 }, (_, index) => `line ${String(index)}`);
    await Promise.all(
      lines.map((line, index) =>
        (index % 2 === 0 ? one : other).handlers.insert({
          ...{ path, insert_line: 0 },
          insert_text: line,
        }),
      ),
    );
    const text = await other.read(path);
    expect(
      text
        ?.split('\n')
        .filter((line) => line !== '')
        .toSorted(),
    ).toEqual(lines);
  });

  it('does what a map of files does, over random commands', async () => {
    const name = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd');
    const command = fc.oneof(
      fc.record({ type: fc.constant('create' as const), name, text: fc.string({ maxLength: 5 }) }),
      fc.record({ type: fc.constant('delete' as const), name }),
      fc.record({ type: fc.constant('rename' as const), name, to: name }),
      fc.record({ type: fc.constant('insert' as const), name, text: fc.string({ maxLength: 5 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        const memory = await open({ redactor: createRedactor({ mode: 'off' }) });
        const model = new Map<string, string>();
        const under = (path: string) =>
          [...model.keys()].filter((key) => key === path || key.startsWith(`${path}/`));
        for (const each of commands) {
          const path = `/memories/${each.name}`;
          const done = await run(memory.handlers, each).then(
            () => true,
            () => false,
          );
          if (!done) continue;
          if (each.type === 'create') model.set(path, each.text);
          if (each.type === 'insert') {
            const line = each.text.endsWith('\n') ? each.text.slice(0, -1) : each.text;
            model.set(path, `${line}\n${model.get(path) ?? ''}`);
          }
          for (const key of each.type === 'delete' ? under(path) : []) model.delete(key);
          for (const key of each.type === 'rename' ? under(path) : []) {
            if (each.type !== 'rename') continue;
            model.set(`/memories/${each.to}${key.slice(path.length)}`, model.get(key) ?? '');
            model.delete(key);
          }
        }
        const entries = await memory.list();
        const found = await Promise.all(
          entries.map(async (entry) => [entry.path, await memory.read(entry.path)] as const),
        );
        expect(new Map(found)).toEqual(model);
        const bytes = [...model.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        expect(await memory.use()).toMatchObject({ files: model.size, bytes });
      }),
      { numRuns: 60 },
    );
  });
});

type Command =
  | { readonly type: 'create' | 'insert'; readonly name: string; readonly text: string }
  | { readonly type: 'delete'; readonly name: string }
  | { readonly type: 'rename'; readonly name: string; readonly to: string };

function run(memory: MemoryHandlers, command: Command): Promise<string> {
  const path = `/memories/${command.name}`;
  switch (command.type) {
    case 'create':
      return memory.create({ path, file_text: command.text });
    case 'insert':
      return memory.insert({ path, insert_line: 0, insert_text: command.text });
    case 'delete':
      return memory.delete({ path });
    case 'rename':
      return memory.rename({ old_path: path, new_path: `/memories/${command.to}` });
  }
}
