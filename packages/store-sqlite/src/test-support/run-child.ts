import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

type Child = ChildProcessByStdio<null, Readable, Readable>;

const here = dirname(fileURLToPath(import.meta.url));
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const cache = join(here, '../../node_modules/.cache/ctx-store-sqlite');

/** Bundles a program of this folder, or of one in it, to JavaScript that plain node runs, beside the packages that it needs. */
export async function bundleChild(name: string): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const outfile = join(cache, `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(here, name + extension)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: extension === '.ts' ? ['@ctx/source'] : [],
    external: ['@photostructure/sqlite', 'better-sqlite3'],
    logLevel: 'error',
  });
  return outfile;
}

/** Starts a bundled program. `writeThread`: the program of a thread that its backends write on; see `childBackend`. */
export function startChild(program: string, args: readonly string[], writeThread?: URL): Child {
  return spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CTX_WRITE_THREAD: writeThread?.href ?? '' },
  });
}

/** Waits for the end of a program. What it wrote comes as text; `code` is null where a signal ended it. */
export async function endOf(
  child: Child,
): Promise<{ code: number | null; output: string; errors: string }> {
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return { code, output, errors };
}

/** The program of a thread that writes, as plain node runs it. */
export async function writeThreadProgram(): Promise<URL> {
  return pathToFileURL(await bundleChild('threads/run-write-thread'));
}
