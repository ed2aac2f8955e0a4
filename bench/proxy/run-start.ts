import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../../apps/cli/dist/bin.cjs', import.meta.url));

/** From `ctx run claude` until the agent's program runs, ms: the program is a shell that touches a file. */
export function measureRunStart(rounds: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-'));
  const [agent, touched] = [join(folder, 'claude'), join(folder, 'touched')];
  writeFileSync(agent, `#!/bin/sh\n: > ${touched}\n`);
  chmodSync(agent, 0o755);
  const path = [folder, process.env['PATH']].join(delimiter);
  const times = Array.from({ length: rounds }, () => {
    const start = Date.now();
    spawnSync(process.execPath, [bin, 'run', 'claude'], {
      env: { ...process.env, PATH: path, HOME: folder },
    });
    return statSync(touched).mtimeMs - start;
  });
  rmSync(folder, { recursive: true });
  return times;
}
