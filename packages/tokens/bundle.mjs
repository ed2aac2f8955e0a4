import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);

/** What the counter needs of tiktoken: 4.5 of its 22 MB. */
const parts = [
  ...['lite/tiktoken.cjs', 'lite/tiktoken_bg.cjs', 'lite/tiktoken_bg.wasm'],
  ...['encoders/cl100k_base.json', 'encoders/o200k_base.json'],
];

/** The cache is one file of 20 KB; its package has 3.6 MB, most of them other forms of it. */
export const bundled = ['lru-cache'];

/** Packs the tables of the tokenizer beside the code, and the cache into the file that uses it. */
export async function bundle() {
  copyTables(path.join(import.meta.dirname, 'dist/tiktoken'));
  const cached = path.join(import.meta.dirname, 'dist/cached-counter.js');
  await build({
    entryPoints: [cached],
    outfile: cached,
    ...{ allowOverwrite: true, bundle: true, external: ['@ctx/*'], legalComments: 'inline' },
    // The form for browsers asks for nothing of Node's, so that a page can count, too.
    ...{ platform: 'browser', target: 'es2023', format: 'esm', logLevel: 'error' },
  });
}

/** Copies the tokenizer and the tables of two encodings into `folder`, with a note of their origin. */
export function copyTables(folder) {
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
