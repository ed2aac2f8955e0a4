import { existsSync, mkdirSync } from 'node:fs';
import * as module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What is run at each step of an agent. */
type Quick = (argv: readonly string[]) => Promise<void>;

/** Whether a command line is one that an agent waits for. Those that ask for help or flags of their own are read as all others. */
export function isQuick(argv: readonly string[]): boolean {
  const [name, agent, ...rest] = argv;
  if (argv.includes('--help') || argv.includes('-h')) return false;
  if (name === 'statusline') return argv.length === 1 || (agent === '--store' && rest.length === 1);
  return name === 'hook' && agent === 'claude-code';
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

/** Loads the program: from the bundle where the build made it, else from its parts. */
export async function loadQuick(): Promise<Quick> {
  const bundle = new URL('bundle/quick.js', import.meta.url);
  if (!existsSync(bundle)) return (await import('./quick.ts')).runQuick;
  keepCompiled();
  // Made of `quick.ts` by the build.
  const { runQuick } = (await import(bundle.href)) as { readonly runQuick: Quick };
  return runQuick;
}
