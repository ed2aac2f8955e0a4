import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../apps/cli/dist/bin.js', import.meta.url));

/** How a hook ended. */
export interface HookRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine on which Claude Code would call the built command, one process a hook. */
export interface HookMachine {
  readonly storePath: string;
  readonly hook: (event: unknown) => Promise<HookRun>;
  readonly ctx: (...args: string[]) => Promise<HookRun>;
  readonly remove: () => void;
}

/** Makes a fresh one. The command is the built one: `npm run build` makes it. */
export function makeHookMachine(): HookMachine {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-hooks-'));
  const storePath = join(folder, 'ctx.db');
  const env = {
    ...{ PATH: process.env['PATH'], HOME: folder, CTX_STORE: `sqlite:${storePath}` },
    ...{ XDG_DATA_HOME: join(folder, 'data'), XDG_CACHE_HOME: join(folder, 'cache') },
  };
  const run = (args: readonly string[], input: string): Promise<HookRun> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.on('error', reject);
      child.on('close', (exitCode) => {
        resolve({ exitCode, stdout, stderr });
      });
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
    });
  return {
    storePath,
    hook: (event) => run(['hook', 'claude-code'], JSON.stringify(event)),
    ctx: (...args) => run(args, ''),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
