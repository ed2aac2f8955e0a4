import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** What the counter needs of tiktoken: 4.5 of its 22 MB. */
const parts = [
  ...['lite/tiktoken.cjs', 'lite/tiktoken_bg.cjs', 'lite/tiktoken_bg.wasm'],
  ...['encoders/cl100k_base.json', 'encoders/o200k_base.json'],
];

/** Copies the tokenizer and the tables of two encodings into `folder`, with a note of their origin. */
export function bundle(folder = path.join(import.meta.dirname, 'dist/tiktoken')) {
  const entry = require.resolve('tiktoken/lite');
  const origin = path.dirname(path.dirname(entry));
  mkdirSync(folder, { recursive: true });
  for (const part of parts) {
    copyFileSync(path.join(origin, part), path.join(folder, path.basename(part)));
  }
  const { name, version, license, author } = require(path.join(origin, 'package.json'));
  const note = `Files of ${name} ${version}${author === undefined ? '' : ` by ${author}`}, licence ${license}: https://github.com/dqbd/tiktoken\n`;
  writeFileSync(path.join(folder, 'ORIGIN.txt'), note);
}
