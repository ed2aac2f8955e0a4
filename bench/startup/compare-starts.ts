import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A way to start Node. */
export interface Start {
  readonly name: string;
  readonly args: readonly string[];
  /** Given on standard input. Default: nothing. */
  readonly input?: string;
  /** Exit code that is expected. Default 0. */
  readonly exitCode?: number;
}

/** What a start takes. */
export interface StartCost {
  readonly name: string;
  /** Median processor time, ms. */
  readonly cpuMs: number;
  /** What it takes beyond the first start, ms. */
  readonly addedMs: number;
  /** In relation to the first start. */
  readonly ratio: number;
}

const tellCpu = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, 'CPU ' + (user + system) / 1000);
});`;

interface Surroundings {
  readonly node: string;
  readonly env: NodeJS.ProcessEnv;
}

function cpuMs(
  { node, env }: Surroundings,
  { name, args, input = '', exitCode = 0 }: Start,
): number {
  const { status, stderr } = spawnSync(node, args, { input, env, encoding: 'utf8' });
  if (status !== exitCode) throw new Error(`${name} ended with ${String(status)}: ${stderr}`);
  return Number(/CPU ([\d.]+)$/.exec(stderr)?.[1]);
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

interface CompareOptions {
  /** Default 11. */
  readonly rounds?: number;
  /** A Node's binary. Default: this one. */
  readonly node?: string;
}

/**
 * Compares starts with the first of them, by processor time: in rounds, one after the other, so that the moods of the machine meet all
 * alike. The home folder is a new one; a round before the first fills it.
 */
export function compareStarts(
  starts: readonly Start[],
  { rounds = 11, node = process.execPath }: CompareOptions = {},
): StartCost[] {
  const home = mkdtempSync(join(tmpdir(), 'ctx-bench-startup-'));
  const hook = join(home, 'tell-cpu.cjs');
  writeFileSync(hook, tellCpu);
  const env = {
    ...{ PATH: process.env['PATH'], HOME: home, NODE_OPTIONS: `--require=${hook}` },
    ...{ XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache') },
    CTX_STORE: `sqlite:${join(home, 'ctx.db')}`,
  };
  const times = starts.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, start] of starts.entries()) {
      const time = cpuMs({ node, env }, start);
      if (round >= 0) times[index]?.push(time);
    }
  }
  rmSync(home, { recursive: true, force: true });
  const first = median(times[0] ?? []);
  return starts.map(({ name }, index) => {
    const time = median(times[index] ?? []);
    return { name, cpuMs: time, addedMs: time - first, ratio: time / first };
  });
}

/** Imports a module and nothing else. */
export function importing(name: string, url: string): Start {
  return { name, args: ['--input-type=module', '--eval', `await import(${JSON.stringify(url)})`] };
}
