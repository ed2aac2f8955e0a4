import { afterEach, expect, test, vi } from 'vitest';
import { runCli } from '../cli.ts';
import { fakeHost } from '../test-support/fake-host.ts';
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
