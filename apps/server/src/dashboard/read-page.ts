import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** A file of the page, held in memory: no path of a request reaches the disk. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

/** The page as it was built. */
export interface Page {
  readonly index: PageFile;
  /** By name; the names hold a hash of what is in them. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Beside the source and beside the compiled files alike. */
export const pageFolder: string = fileURLToPath(new URL('../../page/', import.meta.url));

function fileOf(path: string, type: string): PageFile {
  const bytes = readFileSync(path);
  return { type, bytes, gzipped: gzipSync(bytes) };
}

/** Reads the page; `undefined` where it was not built. Reads its files once. */
export function readPage(folder: string = pageFolder): Page | undefined {
  const index = join(folder, 'index.html');
  const assets = join(folder, 'assets');
  if (!existsSync(index) || !existsSync(assets)) return undefined;
  const files = readdirSync(assets).flatMap((name): [string, PageFile][] => {
    const type = types[extname(name)];
    return type === undefined ? [] : [[name, fileOf(join(assets, name), type)]];
  });
  return { index: fileOf(index, 'text/html; charset=utf-8'), assets: new Map(files) };
}
