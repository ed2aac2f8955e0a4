/**
 * Token counting beside raw tiktoken and chars ÷ 4, in one run, as ratios.
 * Run: `npx tsc -b bench && node bench/dist/measure-tokens.js [--json]`. Takes about 10 s.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openTokenCounter } from '@ctx/tokens';
import type { Tiktoken } from 'tiktoken/lite';

/** One workload. `share` figures are count ÷ exact count − 1. */
interface Row {
  readonly workload: string;
  readonly chars: number;
  readonly tokens: number;
  readonly rawMs: number;
  readonly coldMs: number;
  readonly warmMs: number;
  readonly coldOverRaw: number;
  readonly warmOverRaw: number;
  readonly errorShare: number;
  readonly quarterErrorShare: number;
}

interface HostileRow {
  readonly input: string;
  readonly rawMs: number;
  readonly coldOverRaw: number;
  readonly errorShare: number;
  /** Our time for 100,000 characters; raw tiktoken takes about 25 times `rawMs` for them. */
  readonly longMs: number;
}

const rawChars = 20_000;
const longChars = 100_000;

function timed<Result>(work: () => Result): { readonly ms: number; readonly result: Result } {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
}

function loadRaw(): Tiktoken {
  const require = createRequire(import.meta.url);
  // `require` is untyped; these are the shapes of the pinned tiktoken.
  const library = require('tiktoken/lite') as { readonly Tiktoken: typeof Tiktoken };
  const table = require('tiktoken/encoders/o200k_base.json') as {
    readonly bpe_ranks: string;
    readonly special_tokens: Record<string, number>;
    readonly pat_str: string;
  };
  return new library.Tiktoken(table.bpe_ranks, table.special_tokens, table.pat_str);
}

/** This repository's own files, the nearest thing to tool results that every checkout has. */
function repositoryTexts(limitChars: number): string[] {
  const texts: string[] = [];
  let chars = 0;
  for (const packageName of readdirSync('packages').sort()) {
    const folder = join('packages', packageName, 'src');
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!file.endsWith('.ts') || chars > limitChars) continue;
      const text = readFileSync(join(folder, file), 'utf8');
      chars += text.length;
      texts.push(text);
    }
  }
  return texts;
}

function measure(workload: string, texts: readonly string[], raw: Tiktoken): Row {
  const count = openTokenCounter();
  const sum = (by: (text: string) => number): number =>
    texts.reduce((total, text) => total + by(text), 0);
  const exact = timed(() => sum((text) => raw.encode_ordinary(text).length));
  const cold = timed(() => sum(count));
  const warm = timed(() => sum(count));
  const chars = sum((text) => text.length);
  return {
    workload,
    chars,
    tokens: exact.result,
    rawMs: exact.ms,
    coldMs: cold.ms,
    warmMs: warm.ms,
    coldOverRaw: cold.ms / exact.ms,
    warmOverRaw: warm.ms / exact.ms,
    errorShare: cold.result / exact.result - 1,
    quarterErrorShare: sum((text) => Math.ceil(text.length / 4)) / exact.result - 1,
  };
}

const hostileUnits: Readonly<Record<string, string>> = {
  'one letter': 'a',
  'one word': 'supercalifragilistic',
  spaces: ' ',
  'line ends': '\n',
  'one sign': '!',
  'slash, line end': '/\n',
  Chinese: '我们认为这些真理是不言而喻的人人生而平等',
  Thai: 'ภาษาไทยไม่มีช่องว่าง',
  emoji: '😀',
  'joined emoji': '👨‍👩‍👧‍👦',
};

function measureHostile(input: string, unit: string, raw: Tiktoken): HostileRow {
  const long = unit.repeat(Math.ceil(longChars / unit.length));
  const short = long.slice(0, rawChars);
  const count = openTokenCounter();
  const exact = timed(() => raw.encode_ordinary(short).length);
  const ours = timed(() => count(short));
  return {
    input,
    rawMs: exact.ms,
    coldOverRaw: ours.ms / exact.ms,
    errorShare: ours.result / exact.result - 1,
    longMs: timed(() => count(long)).ms,
  };
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
const ratio = (value: number): string => value.toFixed(value < 0.1 ? 4 : 2);
const percent = (value: number): string => `${(value * 100).toFixed(3)} %`;

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const print = (cells: readonly string[]): void => {
    console.log(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  };
  print(head);
  for (const row of rows) print(row);
  console.log('');
}

function main(): void {
  const load = timed(() => openTokenCounter()('load'));
  const raw = loadRaw();
  raw.encode_ordinary('warm up');
  const files = repositoryTexts(800_000);
  const lines = files.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  const rows = [measure('files of this repository', files, raw), measure('its lines', lines, raw)];
  const hostile = Object.entries(hostileUnits).map(([input, unit]) =>
    measureHostile(input, unit, raw),
  );
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ node: process.version, loadMs: load.ms, rows, hostile }, null, 2));
    return;
  }
  console.log(`o200k_base loads lazily in ${ms(load.ms)} ms, once.\n`);
  printTable(
    ['workload', 'chars', 'tokens', 'raw ms', 'cold ÷ raw', 'warm ÷ raw', 'error', 'chars/4 error'],
    rows.map((row) => [
      row.workload,
      String(row.chars),
      String(row.tokens),
      ms(row.rawMs),
      ratio(row.coldOverRaw),
      ratio(row.warmOverRaw),
      percent(row.errorShare),
      percent(row.quarterErrorShare),
    ]),
  );
  printTable(
    [
      `hostile, ${String(rawChars)} chars`,
      'raw ms',
      'cold ÷ raw',
      'error',
      `ours, ${String(longChars)} chars, ms`,
    ],
    hostile.map((row) => [
      row.input,
      ms(row.rawMs),
      ratio(row.coldOverRaw),
      percent(row.errorShare),
      ms(row.longMs),
    ]),
  );
}

main();
