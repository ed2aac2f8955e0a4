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

function tooLarge(name: string, maxBytes: number): CtxError {
  return new CtxError('CTX_TOO_LARGE', `${name} has more than ${String(maxBytes)} bytes`);
}

/** Reads a text file of at most so many bytes; throws `CTX_NOT_FOUND`, `CTX_INVALID_FILE`, `CTX_TOO_LARGE`. */
export async function readTextFile(
  { cwd }: Pick<CliHost, 'cwd'>,
  name: string,
  maxBytes: number,
): Promise<string> {
  const path = resolve(cwd, name);
  const stats = await lstat(path).catch((cause: unknown) => {
    throw new CtxError('CTX_NOT_FOUND', `there is no file ${name}`, { cause });
  });
  if (!stats.isFile()) throw new CtxError('CTX_INVALID_FILE', `${name} is no file`);
  if (stats.size > maxBytes) throw tooLarge(name, maxBytes);
  return await readFile(path, 'utf8');
}

async function contentOfInput({ readInput }: CliHost): Promise<string> {
  const text = await readInput(maxItemBytes);
  if (text === 'too large') throw tooLarge('standard input', maxItemBytes);
  if (text !== undefined && text.text !== '') return text.text;
  const message = 'give the content as an argument, with --file, or on standard input';
  throw new CtxError('CTX_INVALID_FILE', message);
}

/** Reads the content of an item; throws `CTX_INVALID_INPUT`, `CTX_NOT_FOUND`, `CTX_TOO_LARGE`. */
export async function readContent(host: CliHost, { text, file }: ContentPlace): Promise<string> {
  if (text !== undefined && file !== undefined) {
    throw new CtxError('CTX_USAGE', 'give the content or --file, not both');
  }
  if (file !== undefined) return readTextFile(host, file, maxItemBytes);
  return text === undefined || text === '-' ? contentOfInput(host) : text;
}
