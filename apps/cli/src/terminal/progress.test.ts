import { expect, test } from 'vitest';
import type { OutputChannel } from '../cli-host.ts';
import type { Screen } from '../cli-host.ts';
import { startProgress } from './progress.ts';

function contextWith(isTty: boolean) {
  const written: string[] = [];
  const channel: OutputChannel = {
    isTty,
    columns: 30,
    isClosed: () => false,
    write: async (text) => {
      written.push(text);
    },
  };
  const context: Screen = {
    host: {
      env: {},
      cwd: '/',
      out: channel,
      err: channel,
      signal: new AbortController().signal,
      endAtOnce: () => undefined,
      folders: async () => ({ home: '/', config: '/', data: '/' }),
      readInput: async () => undefined,
      confirm: async () => undefined,
    },
    hasColor: false,
  };
  return { context, written };
}

test('a terminal sees one line that changes, cut to its width, and that goes away', () => {
  const { context, written } = contextWith(true);
  const progress = startProgress(context);
  progress.show('reading \u001b[31m a file with a very long name');
  progress.show('at once again: too soon to be drawn');
  progress.clear();
  progress.clear();
  expect(written).toEqual(['\r\u001b[2Kreading \\u001b[31m a file wi…', '\r\u001b[2K']);
});

test('where nobody looks nothing is drawn', () => {
  const { context, written } = contextWith(false);
  const progress = startProgress(context);
  progress.show('reading');
  progress.clear();
  expect(written).toEqual([]);
});
