import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How a run of the real command ended. */
export interface BinRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BinOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called when it starts. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called with everything that came on standard error so far. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** Called with everything that came on either output so far. */
  readonly onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** Closes standard output after so many bytes, as `head` does. */
  readonly closeAfterBytes?: number;
  /** Standard output goes to this file. */
  readonly stdoutFile?: string;
  /** What it reads on standard input; nothing without. */
  readonly stdin?: string;
}

/** A folder of its own for one test file, with the home of a user who never used ctx. */
export interface TestHome {
  readonly folder: string;
  readonly run: (args: readonly string[], options?: BinOptions) => Promise<BinRun>;
  readonly remove: () => void;
}

/**
 * Whether processes of the command run what the build made, at a sixth of the cost: under `npm test` and
 * the campaigns, which build first.
 */
export const isBuilt: boolean = process.env['BUILT_COMMAND'] === '1';
const bin = isBuilt ? '../../dist/bin.cjs' : '../bin.ts';
const binPath = fileURLToPath(new URL(bin, import.meta.url));
/** Holds what the hooks made of our sources, for every test and run after this one. */
const keptFolder = fileURLToPath(
  new URL('../../../../node_modules/.cache/test-hooks/', import.meta.url),
);

/** Hooks that turn our TypeScript into JavaScript while it is loaded, so that the real command runs without a build. */
function writeHooks(folder: string): string {
  const esbuild = import.meta.resolve('esbuild');
  mkdirSync(keptFolder, { recursive: true });
  const hooks = `import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const text = await readFile(fileURLToPath(url), 'utf8');
  const name = createHash('sha256').update(text).digest('hex') + '.js';
  const kept = new URL(name, ${JSON.stringify(pathToFileURL(keptFolder))});
  const known = await readFile(kept, 'utf8').catch(() => undefined);
  const { code } = known === undefined ? await transform(text) : { code: known };
  if (known === undefined) {
    // Several processes, or two files of one text in one process, may be here at once: nobody reads half
    // of a file, and nobody renames another's draft.
    const draft = new URL(kept.href + '.' + randomUUID());
    await writeFile(draft, code);
    await rename(draft, kept);
  }
  return { format: 'module', source: code, shortCircuit: true };
}
async function transform(text) {
  const { default: esbuild } = await import(${JSON.stringify(esbuild)});
  return esbuild.transform(text, { loader: 'ts', format: 'esm', target: 'node20' });
}
`;
  writeFileSync(join(folder, 'hooks.mjs'), hooks);
  const register = `import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\n`;
  writeFileSync(join(folder, 'register.mjs'), register);
  return join(folder, 'register.mjs');
}

function environment(folder: string, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const home = join(folder, 'home');
  return {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    NODE_NO_WARNINGS: '1',
    // Tests that want a process to stay say so.
    CTX_HOOK_RESIDENT: 'off',
    ...extra,
  };
}

/** Makes a home and a way to run the command in it, or another program of ours. */
export function makeTestHome(program: string = binPath): TestHome {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-cli-'));
  mkdirSync(join(folder, 'home'), { recursive: true });
  const nodeArgs = program.endsWith('.ts')
    ? ['--conditions=@ctx/source', '--import', writeHooks(folder), program]
    : [program];
  const run: TestHome['run'] = (args, options = {}) =>
    new Promise((resolve, reject) => {
      const { stdoutFile, stdin } = options;
      const target = stdoutFile === undefined ? 'pipe' : openSync(stdoutFile, 'w');
      const child = spawn(process.execPath, [...nodeArgs, ...args], {
        cwd: options.cwd ?? folder,
        env: environment(folder, options.env ?? {}),
        stdio: [stdin === undefined ? 'ignore' : 'pipe', target, 'pipe'],
      });
      child.stdin?.end(stdin);
      const stdout: Buffer[] = [];
      let seen = 0;
      let stderr = '';
      const kill = (signal: NodeJS.Signals): void => {
        child.kill(signal);
      };
      options.onStart?.(kill);
      const tellOutput = (): void => {
        options.onOutput?.(stderr + Buffer.concat(stdout).toString(), kill);
      };
      child.stdout?.on('data', (chunk: Buffer) => {
        stdout.push(chunk);
        tellOutput();
        seen += chunk.length;
        if (options.closeAfterBytes !== undefined && seen >= options.closeAfterBytes) {
          child.stdout?.destroy();
        }
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        options.onStderr?.(stderr, kill);
        tellOutput();
      });
      child.on('error', reject);
      child.on('close', (exitCode) => {
        if (typeof target === 'number') closeSync(target);
        resolve({ exitCode, stdout: Buffer.concat(stdout).toString(), stderr });
      });
    });
  return {
    folder,
    run,
    remove: () => {
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    },
  };
}
