import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Beside the packages that a store needs at run time. */
const cache = fileURLToPath(
  new URL('../packages/store-sqlite/node_modules/.cache/ctx-contract-tests', import.meta.url),
);

const requireText =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** Bundles a program to JavaScript that plain node runs. What it imports when it runs is loaded then. */
export async function bundleProgram(program: URL): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const name = `${fileURLToPath(program).replaceAll(/[^a-z]+/g, '-')}-${String(process.pid)}`;
  await build({
    entryPoints: [{ in: fileURLToPath(program), out: name }],
    outdir: cache,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@ctx/source'],
    // Libraries of the older kind ask for others by `require`.
    banner: { js: requireText },
    external: ['@photostructure/sqlite', 'better-sqlite3', 'pg-native'],
    logLevel: 'error',
  });
  return join(cache, `${name}.mjs`);
}

/** A program that runs, and the lines that it has said. */
export interface RunningProgram {
  readonly process: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
}

/** Starts a bundled program. `onLine` hears each whole line that it says. */
export function startProgram(
  program: string,
  args: readonly string[],
  onLine: (line: string, child: ChildProcess) => void = () => undefined,
): RunningProgram {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout.on('data', (piece: Buffer) => {
    const parts = `${rest}${piece.toString()}`.split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      onLine(line, child);
    }
  });
  return { process: child, lines, ended: once(child, 'close') };
}

/** Runs with a fresh folder, which is gone afterwards. */
export async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-contract-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
