import { existsSync, mkdirSync } from 'node:fs';
import * as module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Does what a command line asks and gives its exit code. Contract: the process may end at once afterwards. */
type Program = (argv: readonly string[], version: string) => Promise<number>;

/** Whether a command line is one that an agent waits for. Those that ask for help or flags of their own are read as all others. */
function isFastPath(argv: readonly string[]): boolean {
  const [name, agent, ...rest] = argv;
  if (argv.includes('--help') || argv.includes('-h')) return false;
  if (name === 'statusline') return argv.length === 1 || (agent === '--store' && rest.length === 1);
  return name === 'hook' && agent === 'claude-code';
}

/** Commands with a bundle of their own, in few files: they are called again and again. `bundle.mjs` names them, too. */
const oftenCalled: ReadonlySet<string> = new Set(['sessions', 'status']);

/** The bundle of a command line. */
function bundleOf(argv: readonly string[]): string {
  if (isFastPath(argv)) return 'fast/fast-path.js';
  return oftenCalled.has(argv[0] ?? '') ? 'often/run-command.js' : 'bundle/run-command.js';
}

function cacheFolder(): string {
  const named = process.env['XDG_CACHE_HOME'] ?? '';
  const root = isAbsolute(named) ? named : join(homedir(), '.cache');
  return join(root, 'ctx', 'compiled');
}

type KeepCompiled = (folder: string) => unknown;

function isFunction(value: unknown): value is KeepCompiled {
  return typeof value === 'function';
}

/** Lets Node keep what it compiles, private to this user, where it can: from version 22.8 on. */
function keepCompiled(): void {
  if (!('enableCompileCache' in module)) return;
  const enable: unknown = module.enableCompileCache;
  if (!isFunction(enable)) return;
  try {
    const folder = cacheFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enable(folder);
  } catch {
    // It only saves time.
  }
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
  const bundle = new URL(bundleOf(argv), import.meta.url);
  if (!existsSync(bundle)) return loadParts(argv);
  keepCompiled();
  // Made of the same file that `loadParts` loads.
  const { run } = (await import(bundle.href)) as { readonly run: Program };
  return run;
}
