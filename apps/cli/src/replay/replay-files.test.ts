import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { runCli } from '../cli.ts';
import { fakeHost, runOn } from '../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a replay hears of Ctrl-C between two requests, though nothing in it waits', async () => {
  const cwd = makeFolder();
  writeJsonFile(cwd, 'long.json', longSession('long', 50, 2));
  const stop = new AbortController();
  const host = fakeHost({ cwd, isTty: true, signal: stop.signal });
  const shown: string[] = [];
  const write = async (text: string): Promise<void> => {
    shown.push(text);
    // A signal is told of in a turn of its own.
    if (text.includes('request 3 of'))
      setImmediate(() => {
        stop.abort();
      });
  };
  // The line of progress is drawn each time.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  const argv = ['replay', 'long.json', '--policy', 'none'];
  expect(await runCli(argv, { ...host, err: { ...host.err, write } }, '1.2.3')).toBe(130);
  expect(shown.join('')).toContain('request 3 of 51');
  expect(shown.join('')).not.toContain('request 9 of 51');
});

test('what is no transcript below a folder is skipped and named, and refused where it is named itself', async () => {
  const cwd = makeFolder();
  mkdirSync(join(cwd, 'logs/memory'), { recursive: true });
  writeJsonFile(cwd, 'logs/long.json', longSession('long', 2, 2));
  writeFileSync(join(cwd, 'logs/empty.jsonl'), '');
  writeFileSync(join(cwd, 'logs/memory/README.md'), '# Notes');
  const run = await runOn({ cwd }, 'replay', 'logs', '--policy', 'none');
  expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining('1 session')]);
  expect(run.stderr).toContain('Replaying 3 files');
  expect(run.stderr).toContain(
    `skipped, as no known transcript: ${join(cwd, 'logs/empty.jsonl')}, ${join(cwd, 'logs/memory/README.md')}\n`,
  );
  const named = await runOn({ cwd }, 'replay', 'logs', 'logs/empty.jsonl', '--policy', 'none');
  expect([named.exitCode, named.stderr]).toEqual([1, expect.stringContaining('empty.jsonl')]);
  const none = await runOn({ cwd }, 'replay', 'logs/memory');
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('no transcript among')]);
});

test('a replay that fails with --json says it in one line of JSON', async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'README.md'), '# Notes');
  const { stderr } = await runOn({ cwd }, 'replay', 'README.md', '--json');
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'CTX_TRANSCRIPT_UNKNOWN_FORMAT' } });
});
