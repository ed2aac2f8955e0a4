import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const program = new URL('../../bundle.mjs', import.meta.url).href;

test('what is packed of tiktoken counts without the package itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-tables-'));
  const { copyTables } = (await import(program)) as { copyTables: (folder: string) => void };
  copyTables(folder);
  const require = createRequire(import.meta.url);
  const { Tiktoken } = require(join(folder, 'tiktoken.cjs')) as {
    Tiktoken: new (...table: unknown[]) => { encode_ordinary: (text: string) => Uint32Array };
  };
  for (const name of ['o200k_base', 'cl100k_base']) {
    const table = require(join(folder, `${name}.json`)) as Record<string, unknown>;
    const counter = new Tiktoken(table['bpe_ranks'], table['special_tokens'], table['pat_str']);
    expect(counter.encode_ordinary('hello world')).toHaveLength(2);
  }
  expect(readFileSync(join(folder, 'ORIGIN.txt'), 'utf8')).toMatch(/tiktoken .* licence MIT/);
  rmSync(folder, { recursive: true });
});
