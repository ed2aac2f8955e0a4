import { lstat, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { maxItemBytes } from '@ctx/store';
import type { CliHost } from '../cli-host.ts';

/** Where the content of an item stands. */
export interface ContentPlace {
  /** The content itself; `-` means standard input. */
  readonly text: string | undefined;
  readonly file: string | undefined;
}

function tooLarge(name: string): CtxError {
  const limit = String(maxItemBytes);
  return new CtxError('CTX_TOO_LARGE', `${name} has more than ${limit} bytes, the most of an item`);
}

async function contentOfFile({ cwd }: CliHost, name: string): Promise<string> {
  const path = resolve(cwd, name);
  const stats = await lstat(path).catch((cause: unknown) => {
    throw new CtxError('CTX_NOT_FOUND', `there is no file ${name}`, { cause });
  });
  if (!stats.isFile()) throw new CtxError('CTX_INVALID_FILE', `${name} is no file`);
  if (stats.size > maxItemBytes) throw tooLarge(name);
  return await readFile(path, 'utf8');
}

async function contentOfInput({ readInput }: CliHost): Promise<string> {
  const text = await readInput(maxItemBytes);
  if (text === 'too large') throw tooLarge('standard input');
  if (text !== undefined && text.text !== '') return text.text;
  const message = 'give the content as an argument, with --file, or on standard input';
  throw new CtxError('CTX_INVALID_FILE', message);
}

/** Reads the content of an item. Throws: `CTX_INVALID_INPUT`, `CTX_NOT_FOUND`, `CTX_TOO_LARGE`. */
export async function readContent(host: CliHost, { text, file }: ContentPlace): Promise<string> {
  if (text !== undefined && file !== undefined) {
    throw new CtxError('CTX_USAGE', 'give the content or --file, not both');
  }
  if (file !== undefined) return contentOfFile(host, file);
  return text === undefined || text === '-' ? contentOfInput(host) : text;
}
