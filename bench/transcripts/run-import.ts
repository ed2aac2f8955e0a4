import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What one process took. */
export interface ProcessCost {
  readonly seconds: number;
  /** Processor time of all threads. */
  readonly cpuSeconds: number;
  /** Most memory it ever held, MB. */
  readonly peakMb: number;
}

/** An import as a user does it. */
export interface ImportRun extends ProcessCost {
  readonly events: number;
}

/** Writes what the process used to a file when it ends; a thread of it writes nothing. */
const exitHook = `data:text/javascript,${encodeURIComponent(
  `import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMb: maxRSS / 1024 };
  writeFileSync(process.env.CTX_BENCH_COST, JSON.stringify(cost));
});`,
)}`;

/**
 * Runs a command of ctx on the store of a folder. Gives what it answered.
 * @throws a plain Error where it fails.
 */
function runCtx(folder: string, command: readonly string[]): ProcessCost & { answer: unknown } {
  const bin = fileURLToPath(new URL('../../../apps/cli/dist/bin.js', import.meta.url));
  const cost = `${folder}/cost.json`;
  const args = [
    '--import',
    exitHook,
    bin,
    ...command,
    '--store',
    `sqlite:${folder}/ctx.db`,
    '--json',
  ];
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, CTX_BENCH_COST: cost },
  });
  if (status !== 0) throw new Error(`ctx ${command.join(' ')} failed: ${stderr}`);
  const seconds = (performance.now() - start) / 1_000;
  // Both are written by programs of ours.
  const used = JSON.parse(readFileSync(cost, 'utf8')) as Omit<ProcessCost, 'seconds'>;
  return { seconds, ...used, answer: JSON.parse(stdout) as unknown };
}

/** Runs `ctx import` on a file into a SQLite store, until all of it is stored: it is not in the index then. */
export function runImport(path: string, folder: string, flags: readonly string[]): ImportRun {
  const { answer, ...cost } = runCtx(folder, ['import', path, ...flags]);
  const { files } = answer as { readonly files: readonly { readonly events: number }[] };
  return { ...cost, events: files[0]?.events ?? 0 };
}

/** Runs the first search of the store that an import made, which takes in all that it wrote. */
export function runFirstSearch(folder: string): ProcessCost {
  const { answer: _, ...cost } = runCtx(folder, ['search', 'function', '--limit', '1']);
  return cost;
}
