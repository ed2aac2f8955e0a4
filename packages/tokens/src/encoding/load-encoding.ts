import { CtxError } from '@ctx/core';
import type { Tiktoken } from 'tiktoken/lite';
import { nodeModule } from '../node-module.ts';

/** The encodings that ctx counts with: `o200k_base` (GPT-4o and later), `cl100k_base` (GPT-4, GPT-3.5, embeddings). */
export type EncodingName = 'o200k_base' | 'cl100k_base';

/** What the counter needs of a tokenizer. */
export interface Tokenizer {
  /** The token ids of `text`; special tokens in it are plain text. Never throws. Takes time quadratic in runs. */
  readonly encode: (text: string) => Uint32Array;
  /** The UTF-8 bytes that these tokens stand for. */
  readonly decode: (tokens: Uint32Array) => Uint8Array;
}

interface EncodingTable {
  readonly bpe_ranks: string;
  readonly special_tokens: Record<string, number>;
  readonly pat_str: string;
}

interface Library {
  readonly Tiktoken: typeof Tiktoken;
}

/** Loads a part of tiktoken: as it is packed with this package, or in a checkout from where tiktoken is installed. */
function part(require: NodeJS.Require, packed: string, installed: string): unknown {
  const manifest = require.resolve('@ctx/tokens/package.json');
  const file = manifest.replace(/package\.json$/, `dist/tiktoken/${packed}`);
  try {
    return require(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return require(installed);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
}

const loaded = new Map<EncodingName, Tokenizer>();

/**
 * Returns the tiktoken tokenizer of an encoding and keeps it for the life of the process. The first call per encoding takes
 * 0.3 to 0.6 s and about 60 MB. Importing this file loads no wasm.
 * @throws CTX_INVALID_OPTION on a host other than Node
 */
export function loadEncoding(name: EncodingName): Tokenizer {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const createRequire = nodeModule('node:module')?.createRequire;
  if (createRequire === undefined) {
    const advice = 'count with approximateTokens, or hand in a counter';
    throw new CtxError('CTX_INVALID_OPTION', `the tables of ${name} need Node: ${advice}`);
  }
  const require = createRequire(import.meta.url);
  // `require` is untyped; the shapes are those of the pinned tiktoken, and the tests run them.
  const library = part(require, 'tiktoken.cjs', 'tiktoken/lite') as Library;
  const table = part(require, `${name}.json`, `tiktoken/encoders/${name}.json`) as EncodingTable;
  const encoder = new library.Tiktoken(table.bpe_ranks, table.special_tokens, table.pat_str);
  const tokenizer: Tokenizer = {
    // Not `encode`, which throws where the text holds `<|endoftext|>` or another special token.
    encode: (text) => encoder.encode_ordinary(text),
    decode: (tokens) => encoder.decode(tokens),
  };
  loaded.set(name, tokenizer);
  return tokenizer;
}
