import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { paperIds, papers } from './test-support/records.ts';
import { bundleChild } from './test-support/run-child.ts';

/** Papers that the program writes. */
const count = 6;
/** Tries for each kind of call, spread over all calls that a run without failures makes. */
const tries = Number(process.env['CTX_FAILURES'] ?? 6);

/** Runs a program under strace; undefined where there is none or this user may not trace. */
function trace(options: readonly string[], command: readonly string[]): string | undefined {
  const args = ['-f', '-qq', ...options, process.execPath, ...command];
  const { status, stdout } = spawnSync('strace', args, { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? stdout : undefined;
}

/** How often the main thread makes these calls when none fails. */
function callsOf(calls: string, program: string): number | undefined {
  const folder = temporaryFolder();
  const log = join(folder, 'calls');
  const options = ['-o', log, '-e', `trace=${calls}`];
  const output = trace(options, [program, join(folder, 'ctx.db'), String(count)]);
  if (output === undefined) return undefined;
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const threads = new Map<string, number>();
  for (const line of lines) {
    const thread = line.slice(0, line.indexOf(' '));
    threads.set(thread, (threads.get(thread) ?? 0) + 1);
  }
  return Math.max(...threads.values());
}

test.for([
  ['fsync,fdatasync', 'EIO'],
  ['pwrite64', 'EIO'],
  ['pwrite64', 'ENOSPC'],
  ['ftruncate', 'EIO'],
])(
  '%s fails with %s: acknowledged is there, refused is not, whole either way',
  {
    timeout: 300_000,
  },
  async ([calls = '', code = ''], context) => {
    const program = await bundleChild('write-some');
    const all = callsOf(calls, program);
    if (all === undefined) return context.skip('strace is not there, or may not trace');
    let refused = 0;
    // A full disk stays full: a write that fails once is tried again.
    const lasting = code === 'ENOSPC' ? '+' : '';
    const stride = Math.max(1, Math.floor(all / tries));
    for (let call = 1; call <= all; call += stride) {
      const path = join(temporaryFolder(), 'ctx.db');
      const options = ['-o', '/dev/null', '-e', `trace=${calls}`];
      const inject = ['-e', `inject=${calls}:error=${code}:when=${String(call)}${lasting}`];
      const output = trace([...options, ...inject], [program, path, String(count)]) ?? '';
      const where = `${calls} ${code} at call ${String(call)}:\n${output}`;
      expect(output, where).toContain('close ');
      expect(output, where).not.toMatch(/(?:Error|TypeError):/);
      const backend = sqliteBackend({ path });
      await backend.open([papers]);
      const acknowledged = [...output.matchAll(/^(p\d) acknowledged$/gm)].map(([, id]) => id);
      expect(await paperIds(backend), where).toEqual(acknowledged);
      await backend.close();
      if (/ CTX_/.test(output)) refused++;
    }
    // The log is only cut when it is done with, which is no reason to refuse anything.
    if (calls !== 'ftruncate') expect(refused).toBeGreaterThan(0);
  },
);
