import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tokenCounterFor } from '@ctx/tokens';
import { shortenText } from '@ctx/truncation';

export const countTokens = tokenCounterFor();

/** Something that shortens an output of a tool. */
export interface Contender {
  readonly name: string;
  readonly shorten: (text: string) => string;
}

const pointerOf = (text: string) => ({
  uri: 'ctx://outputs/Bash_1a2b3c4d_1795518498036_0_78628b3f',
  tokens: countTokens(text),
  lines: text.split('\n').length,
  bytes: Buffer.byteLength(text),
});

const readHint = (uri: string): string => `read more with: ctx read ${uri} --lines 1-200`;

/** What the window, the hooks, the proxy and `ctx compress` show, with the lines that name the address. */
const ctx: Contender = {
  name: 'ctx',
  shorten: (text) => {
    const pointer = pointerOf(text);
    const limits = { previewTokens: 600, countTokens };
    return shortenText({ pointer, text, readHint, ...limits }).shortened?.text ?? text;
  },
};

/** The beginning and the end, whole lines, as agents cut what is too long. */
function headAndTail(text: string, budget: number): string {
  if (countTokens(text) <= budget) return text;
  const perToken = text.length / countTokens(text);
  const half = Math.floor((budget / 2) * perToken);
  return `${text.slice(0, half)}\n[… truncated …]\n${text.slice(-half)}`;
}

/** The request in which llmtrim meets the output; with `tools` in it, it changes nothing. */
function requestWith(text: string): string {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'run' } };
  return JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 1000,
    messages: [
      { role: 'user', content: 'Find out what went wrong and mend it.' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: text }] },
    ],
  });
}

type Content = string | readonly { readonly text?: string; readonly content?: Content }[];

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map(({ text, content: inner }) => text ?? textOf(inner ?? '')).join('\n');
}

/** Runs the binary of the package in a home of its own; nothing goes over a network. */
function llmtrim(text: string): string {
  const require = createRequire(import.meta.url);
  const program = join(dirname(require.resolve('@llmtrim/cli/package.json')), 'bin/llmtrim.js');
  const home = mkdtempSync(join(tmpdir(), 'llmtrim-'));
  try {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [program, 'compress', '--provider', 'anthropic'],
      {
        input: requestWith(text),
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
        maxBuffer: 2 ** 28,
      },
    );
    if (status !== 0) throw new Error(`llmtrim ended with ${String(status)}: ${stderr}`);
    const { messages } = JSON.parse(stdout) as { messages: { content: Content }[] };
    return textOf(messages.at(-1)?.content ?? '');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export const contenders: readonly Contender[] = [
  { name: 'whole', shorten: (text) => text },
  ctx,
  { name: 'llmtrim 0.13.4', shorten: llmtrim },
  { name: 'head and tail, 1,000 tokens', shorten: (text) => headAndTail(text, 1000) },
  { name: 'head and tail, 4,000 tokens', shorten: (text) => headAndTail(text, 4000) },
];
