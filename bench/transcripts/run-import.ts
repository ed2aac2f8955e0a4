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

/** Writes what the process used to a file when it ends. */
const exitHook = `data:text/javascript,${encodeURIComponent(
  `import { writeFileSync } from 'node:fs';
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMb: maxRSS / 1024 };
  writeFileSync(process.env.CTX_BENCH_COST, JSON.stringify(cost));
});`,
)}`;

/** Runs `ctx import` on a file into a SQLite store. Throws: a plain Error where it fails. */
export function runImport(path: string, folder: string, flags: readonly string[]): ImportRun {
  const bin = fileURLToPath(new URL('../../../apps/cli/dist/bin.js', import.meta.url));
  const cost = `${folder}/cost.json`;
  const store = `sqlite:${folder}/ctx.db`;
  const args = ['--import', exitHook, bin, 'import', path, '--store', store, '--json', ...flags];
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, CTX_BENCH_COST: cost },
  });
  if (status !== 0) throw new Error(`ctx import failed: ${stderr}`);
  const seconds = (performance.now() - start) / 1_000;
  // Both are written by programs of ours.
  const used = JSON.parse(readFileSync(cost, 'utf8')) as Omit<ProcessCost, 'seconds'>;
  const answer = JSON.parse(stdout) as { readonly files: readonly { readonly events: number }[] };
  return { seconds, ...used, events: answer.files[0]?.events ?? 0 };
}
