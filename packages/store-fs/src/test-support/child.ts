import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, onTestFinished } from 'vitest';

let bundle: Promise<string> | undefined;

afterAll(async () => {
  if (bundle !== undefined) rmSync(dirname(await bundle), { recursive: true, force: true });
});

/** Node 20 runs no TypeScript: the child's program is bundled once for each test file. */
async function bundleProgram(): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'ctx-child-')), 'child.mjs');
  const isSource = import.meta.url.endsWith('.ts');
  const program = isSource ? 'child-program.ts' : 'child-program.js';
  await build({
    entryPoints: [fileURLToPath(new URL(program, import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: isSource ? ['@ctx/source'] : [],
    logLevel: 'error',
  });
  return file;
}

/** A child process, what it has said so far, and how it ended. */
export interface Child {
  readonly process: ChildProcess;
  lines(): string[];
  /** Resolves when the child has said so many lines, or has ended. */
  said(lines: number): Promise<void>;
  /** Resolves with the exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Where the child's program lies, for tests that start it themselves. */
export function bundledChild(): Promise<string> {
  bundle ??= bundleProgram();
  return bundle;
}

/** Starts the child's program. It is killed when the test ends. */
export async function startChild(...given: readonly (string | number)[]): Promise<Child> {
  const child = spawn(process.execPath, [await bundledChild(), ...given.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const lines = (): string[] => text.split('\n').slice(0, -1);
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  return {
    process: child,
    lines,
    ended,
    async said(count) {
      const end = new AbortController();
      void ended.then(() => {
        end.abort();
      });
      while (lines().length < count && !end.signal.aborted) {
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
  };
}
