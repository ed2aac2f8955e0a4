import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const builtBin = fileURLToPath(new URL('../../apps/cli/dist/bin.cjs', import.meta.url));

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
  /** Runs a line as the tool `Bash` of the model does: in another folder, with no `ctx` on the PATH. */
  readonly shell: (line: string) => Promise<HookRun>;
  readonly remove: () => void;
}

/** The folders of the PATH that hold no `ctx`: what a hook prints must not depend on an installed one. */
export function pathWithoutCtx(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !existsSync(join(folder, 'ctx'))).join(delimiter);
}

/** Makes a fresh one. The command is by default the built one: `npm run build` makes it. */
export function makeHookMachine(
  bin: string = builtBin,
  more: Readonly<Record<string, string>> = {},
): HookMachine {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-hooks-'));
  const storePath = join(folder, 'ctx.db');
  const env = {
    ...{ PATH: pathWithoutCtx(), HOME: folder, CTX_STORE: `sqlite:${storePath}` },
    ...{ XDG_DATA_HOME: join(folder, 'data'), XDG_CACHE_HOME: join(folder, 'cache') },
    ...more,
  };
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  const collect = (child: ChildProcessWithoutNullStreams, input: string): Promise<HookRun> =>
    new Promise((resolve, reject) => {
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
  const run = (args: readonly string[], input: string): Promise<HookRun> =>
    collect(spawn(process.execPath, [bin, ...args], { cwd: folder, env }), input);
  return {
    storePath,
    hook: (event) => run(['hook', 'claude-code'], JSON.stringify(event)),
    ctx: (...args) => run(args, ''),
    shell: (line) => collect(spawn('sh', ['-c', line], { cwd: elsewhere, env }), ''),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The commands in the preview that a hook left of the tool `Bash`: one that reads by lines, and one by a pattern. */
export function printedCommands({ stdout }: HookRun, pattern: string): readonly [string, string] {
  const answer = JSON.parse(stdout) as {
    hookSpecificOutput: { updatedToolOutput: { stdout: string } };
  };
  const preview = answer.hookSpecificOutput.updatedToolOutput.stdout;
  const [, read = '', byLines = '', byPattern = ''] =
    /read more in a shell with: (.+?) (--lines [^ ]+), or (--grep .+?)\]/.exec(preview) ?? [];
  return [`${read} ${byLines}`, `${read} ${byPattern.replace('<pattern>', pattern)}`];
}
