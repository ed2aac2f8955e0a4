import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../cli.ts';
import { claudeLog, claudeTurn } from '../test-support/agent-logs.ts';
import { fakeHost } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';

test('the command follows a log and ends at Ctrl-C, with what came since', async () => {
  const cwd = makeFolder();
  const log = join(cwd, 'live.jsonl');
  writeFileSync(log, claudeLog(2));
  const stop = new AbortController();
  const host = fakeHost({ cwd, signal: stop.signal });
  const err = {
    ...host.err,
    write: async (text: string) => {
      await host.err.write(text);
      if (text.includes('is current')) appendFileSync(log, claudeTurn(2));
    },
  };
  const out = {
    ...host.out,
    write: async (text: string) => {
      await host.out.write(text);
      if (text.startsWith('continued')) stop.abort();
    },
  };
  const argv = ['import', 'live.jsonl', '--watch', '--store', 'sqlite:ctx.db'];
  expect(await runCli(argv, { ...host, out, err }, '1.2.3')).toBe(0);
  const { stdout, stderr } = host.written();
  expect(stdout).toBe(
    'imported  live  8 messages, 2 outputs  live.jsonl\n' +
      'continued live  +4 messages, 3 outputs  live.jsonl\n',
  );
  expect(stderr).toMatch(/Stopped; everything that was read is stored\.\n$/);
});
