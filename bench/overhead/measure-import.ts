import { spawnSync } from 'node:child_process';

/** What starting node takes, and what an import adds to it. */
export interface ImportCost {
  /** Node that does nothing, ms. */
  readonly bareMs: number;
  /** What the import adds, ms. */
  readonly importMs: number;
  /** Node with the import in relation to node without. */
  readonly ratio: number;
}

const rounds = 11;

const tellTime =
  'const{user,system}=process.cpuUsage();process.stdout.write(String((user+system)/1000))';

/** Processor time of a process, ms. */
function run(script: string): number {
  const args = ['--input-type=module', '--eval', `${script};${tellTime}`];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the package has to be built first: ${stderr.slice(0, 200)}`);
  return Number(stdout);
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Compares in pairs, so that the moods of the machine meet both alike. */
export function measureImport(): ImportCost {
  const entry = import.meta.resolve('@ctx/agent-adapter');
  const bare: number[] = [];
  const withImport: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(run('0'));
    withImport.push(run(`await import(${JSON.stringify(entry)})`));
  }
  const bareMs = median(bare);
  return {
    bareMs,
    importMs: median(withImport) - bareMs,
    ratio: median(withImport) / bareMs,
  };
}
