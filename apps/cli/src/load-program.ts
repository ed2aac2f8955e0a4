import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import * as module from 'node:module';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { run as fastPath } from './hook/fast-path.ts';

/** Does what a command line asks and gives its exit code, with the input that was read already. The process may end at once afterwards. */
type Program = typeof fastPath;

/** Whether a command line is one that an agent waits for. Those that ask for help or flags of their own are read as all others. */
function isFastPath(argv: readonly string[]): boolean {
  const [name, agent, ...rest] = argv;
  if (argv.includes('--help') || argv.includes('-h')) return false;
  if (name === 'statusline') return argv.length === 1 || (agent === '--store' && rest.length === 1);
  return name === 'hook' && agent === 'claude-code';
}

/** Commands with a bundle of their own, in few files: they are called again and again. `bundle.mjs` names them, too. */
const oftenCalled: ReadonlySet<string> = new Set(['sessions', 'status']);

/** Whether only this user can write to a folder: what lies there is run. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Makes a folder of our own, such as that of compiled code; `undefined` where it cannot be made, or others can write to it. */
function cacheFolder(name: 'compiled' | 'run'): string | undefined {
  const named = process.env['XDG_CACHE_HOME'] ?? '';
  const root = isAbsolute(named) ? named : join(homedir(), '.cache');
  const folder = join(root, 'ctx', name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isPrivate(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Lets Node keep what it compiles, private to this user, where it can: from version 22.8 on. */
function keepCompiled(): void {
  // The types are those of Node 20.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  const folder = cacheFolder('compiled');
  if (folder !== undefined) enableCompileCache?.(folder);
}

/** The one file that the build makes of what an agent waits for at each step, or to start. */
function bundleIn(name: 'fast' | 'agent'): string | undefined {
  const folder = fileURLToPath(new URL(name, import.meta.url));
  if (!existsSync(folder)) return undefined;
  const bundle = readdirSync(folder).find((each) => each.endsWith('.cjs'));
  return bundle === undefined ? undefined : join(folder, bundle);
}

/** Loads a program with the code that was kept of it, and keeps that after its first run. */
async function loadWithCode(path: string): Promise<Program> {
  const { loadKept } = await import('./kept-code.ts');
  const { exports, keep } = loadKept(path, cacheFolder('compiled'));
  // Made of a file that `loadParts` loads.
  const { run } = exports as { readonly run: Program };
  return (...given) => run(...given).finally(keep);
}

async function loadFast(argv: readonly string[]): Promise<Program | undefined> {
  const path = bundleIn('fast');
  if (path === undefined) return undefined;
  const { residentAt } = await import('@ctx/claude-code');
  const folder = cacheFolder('run');
  const resident =
    folder === undefined ? undefined : residentAt(join(folder, `${basename(path, '.cjs')}.sock`));
  const { input, isAnswered, start } = (await resident?.take(argv)) ?? {};
  if (isAnswered === true) return () => Promise.resolve(0);
  const run = await loadWithCode(path);
  return async (_, version) => {
    const code = await run(argv, version, input);
    start?.();
    return code;
  };
}

async function loadParts(argv: readonly string[]): Promise<Program> {
  const { run } = isFastPath(argv)
    ? await import('./hook/fast-path.ts')
    : await import('./run-command.ts');
  return run;
}

/**
 * Loads the program of a command line: from a bundle that the build made of it, else from its parts, which are so many files that
 * loading them takes longer than most commands.
 */
export async function loadProgram(argv: readonly string[]): Promise<Program> {
  if (isFastPath(argv)) return (await loadFast(argv)) ?? loadParts(argv);
  const agent = argv[0] === 'run' ? bundleIn('agent') : undefined;
  if (agent !== undefined) return loadWithCode(agent);
  const kind = oftenCalled.has(argv[0] ?? '') ? 'often' : 'bundle';
  const bundle = new URL(`${kind}/run-command.js`, import.meta.url);
  if (!existsSync(bundle)) return loadParts(argv);
  keepCompiled();
  // Made of the same file that `loadParts` loads.
  const { run } = (await import(bundle.href)) as { readonly run: Program };
  return run;
}
