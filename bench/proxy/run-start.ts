import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../../apps/cli/dist/bin.cjs', import.meta.url));

/** From `ctx run claude` until the agent's program runs, ms: the program is a shell that touches a file. In turns with it, a bare Node. */
export function measureRunStart(rounds: number): Record<'bare' | 'run', number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-'));
  const [agent, touched] = [join(folder, 'claude'), join(folder, 'touched')];
  writeFileSync(agent, `#!/bin/sh\n: > ${touched}\n`);
  chmodSync(agent, 0o755);
  const path = [folder, process.env['PATH']].join(delimiter);
  const times: Record<'bare' | 'run', number[]> = { bare: [], run: [] };
  for (let round = 0; round < rounds; round += 1) {
    const before = Date.now();
    spawnSync(process.execPath, ['-e', '0']);
    const start = Date.now();
    spawnSync(process.execPath, [bin, 'run', 'claude'], {
      env: { ...process.env, PATH: path, HOME: folder },
    });
    times.bare.push(start - before);
    times.run.push(statSync(touched).mtimeMs - start);
  }
  rmSync(folder, { recursive: true });
  return times;
}
