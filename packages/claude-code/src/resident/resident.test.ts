import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { residentAt } from './resident.ts';
import type { ResidentCall } from './resident-call.ts';

let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-resident-'));
  path = join(folder, 'a.sock');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const call = (input: string, more: Partial<ResidentCall> = {}): ResidentCall => ({
  ...{ argv: ['hook'], cwd: '/work', env: process.env, input },
  ...more,
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}

const short = { idleMs: 60_000, checkMs: 5 };

/** Serves here until the input is `last`; says its name and what it was asked. */
async function serve(name: string, patience = short): Promise<{ readonly ended: Promise<void> }> {
  const before = statSync(path, { throwIfNoEntry: false })?.ino;
  const ended = residentAt(path).serve(async ({ argv, cwd, input }, write) => {
    if (input === 'fails') throw new Error('cannot');
    await write(`${name} `);
    await write(JSON.stringify([argv, cwd, input]));
    return input === 'last';
  }, patience);
  await until(() => {
    const now = statSync(path, { throwIfNoEntry: false })?.ino;
    return now !== undefined && now !== before;
  });
  return { ended };
}

const said = (name: string, input: string) =>
  `${name} ${JSON.stringify([['hook'], '/work', input])}`;

describe('a process that stays', () => {
  it('answers with what it wrote, whatever the size, and many at once', async () => {
    const { ended } = await serve('one');
    const inputs = ['', 'é\n', 'x'.repeat(3_000_000), ...Array.from({ length: 30 }, String)];
    const answers = await Promise.all(inputs.map((input) => residentAt(path).ask(call(input))));
    expect(answers).toEqual(inputs.map((input) => said('one', input)));
    await residentAt(path).ask(call('last'));
    await ended;
  });

  it('ends with its last answer, and takes its socket along', async () => {
    const { ended } = await serve('one');
    expect(await residentAt(path).ask(call('last'))).toBe(said('one', 'last'));
    await ended;
    expect(existsSync(path)).toBe(false);
    expect(await residentAt(path).ask(call(''))).toBeUndefined();
  });

  it('ends when nobody asked for a while', async () => {
    const { ended } = await serve('one', { idleMs: 20, checkMs: 5 });
    await ended;
    expect(existsSync(path)).toBe(false);
  });

  it('gives way to one that begins later', async () => {
    const first = await serve('one');
    const second = await serve('two');
    await first.ended;
    expect(await residentAt(path).ask(call('a'))).toBe(said('two', 'a'));
    await residentAt(path).ask(call('last'));
    await second.ended;
  });

  it('ends when its folder is gone', async () => {
    const { ended } = await serve('one');
    rmSync(folder, { recursive: true });
    await ended;
  });

  it('is open to this user alone', async () => {
    const { ended } = await serve('one');
    expect(statSync(path).mode & 0o077).toBe(0);
    await residentAt(path).ask(call('last'));
    await ended;
  });
});

describe('who asks is told nothing, and does the work itself,', () => {
  it('where nobody stays', async () => {
    expect(await residentAt(path).ask(call(''))).toBeUndefined();
  });

  it('where the answer fails, and where the folders would be others', async () => {
    const { ended } = await serve('one');
    expect(await residentAt(path).ask(call('fails'))).toBeUndefined();
    const env = { ...process.env, XDG_DATA_HOME: '/elsewhere' };
    expect(await residentAt(path).ask(call('', { env }))).toBeUndefined();
    expect(await residentAt(path).ask(call('last'))).toBe(said('one', 'last'));
    await ended;
  });

  it.each(['', '{"output":"half', 'null'])('where the answer is %j', async (answer) => {
    const server = createServer((socket) => socket.end(answer)).listen(path);
    await until(() => existsSync(path));
    expect(await residentAt(path).ask(call(''))).toBeUndefined();
    server.close();
  });

  it('where the path is longer than a socket can have', async () => {
    const long = residentAt(join(folder, 'x'.repeat(100)));
    await long.serve(() => Promise.resolve(true));
    expect(await long.ask(call(''))).toBeUndefined();
  });
});
