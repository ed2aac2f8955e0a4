import type { Dirent } from 'node:fs';
import { CtxError, type CtxErrorCode, isCtxError } from '@ctx/core';
import { bytesOfFiles } from './memory-files.ts';

/** What an exchange needs of a memory. */
export interface ExchangedMemory {
  readonly root: string;
  readonly policy: { readonly maxFileBytes: number };
  list(): Promise<readonly { readonly path: string }[]>;
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
}

/** What an exchange moved. */
export interface MemoryExchange {
  readonly files: number;
  readonly bytes: number;
  /** What stayed behind, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Loaded when it is used: the rest of the adapter runs where there are no files. */
async function nodeParts() {
  const [files, path] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  return { files, path };
}

/**
 * Writes all files of a memory into a folder, for the eyes of people and for other tools. The folder must be empty or not be there.
 * Files have the mode 0600, folders 0700; nothing outside of the folder is written.
 * @throws `CTX_INVALID_INPUT` where the folder holds something.
 */
export async function exportMemory(
  memory: ExchangedMemory,
  folder: string,
): Promise<MemoryExchange> {
  const { files, path } = await nodeParts();
  await files.mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await files.readdir(folder)).length > 0) {
    throw new CtxError('CTX_INVALID_FILE', 'the folder to export to is not empty');
  }
  let bytes = 0;
  let count = 0;
  for (const entry of await memory.list()) {
    const text = await memory.read(entry.path);
    // Another one took it away meanwhile.
    if (text === undefined) continue;
    // Paths were checked when they were stored: plain names below the root.
    const target = path.join(folder, ...entry.path.slice(memory.root.length + 1).split('/'));
    await files.mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await files.writeFile(target, text, { flag: 'wx', mode: 0o600 });
    bytes += bytesOfFiles(text);
    count += 1;
  }
  return { files: count, bytes, skipped: [] };
}

interface FoundFile {
  readonly source: string;
  readonly name: string;
}

/** Regular files below a folder; links are not followed. */
async function* filesBelow(
  folder: string,
  under: string,
  skip: (path: string, reason: string) => void,
): AsyncGenerator<FoundFile> {
  const { files, path } = await nodeParts();
  const entries: Dirent[] = await files.readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const source = path.join(folder, entry.name);
    const name = `${under}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(source, name, skip);
    else if (entry.isFile()) yield { source, name };
    else skip(name, 'neither a file nor a folder');
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const codesOfFiles: readonly CtxErrorCode[] = [
  'CTX_INVALID_INPUT',
  'CTX_NOT_ALLOWED',
  'CTX_STORE_FULL',
  'CTX_TOO_LARGE',
];

/** What is wrong with one file; `undefined` where the store failed. */
function reasonOf(error: unknown): string | undefined {
  const isOfFile = codesOfFiles.some((code) => isCtxError(error, code));
  return isOfFile && error instanceof Error ? error.message : undefined;
}

/**
 * Reads the files of a folder into a memory, such as one of Anthropic's reference tool. A file that is there is written over.
 * Links are not followed; what is no text, has a name that is not allowed or is too large is skipped and named.
 */
export async function importMemory(
  memory: ExchangedMemory,
  folder: string,
): Promise<MemoryExchange> {
  const { files } = await nodeParts();
  const { maxFileBytes } = memory.policy;
  const skipped: { path: string; reason: string }[] = [];
  const skip = (path: string, reason: string): void => void skipped.push({ path, reason });
  let count = 0;
  let bytes = 0;
  for await (const { source, name } of filesBelow(folder, memory.root, skip)) {
    const { size } = await files.lstat(source);
    if (size > maxFileBytes) {
      skip(name, `${String(size)} bytes, and ${String(maxFileBytes)} are allowed`);
      continue;
    }
    const content = await files.readFile(source);
    const text = textOf(content);
    if (text === undefined) {
      skip(name, 'not a text');
      continue;
    }
    try {
      await memory.write(name, text);
      count += 1;
      bytes += content.length;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      skip(name, reason);
    }
  }
  return { files: count, bytes, skipped };
}
