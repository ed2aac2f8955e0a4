import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { CliHost } from '../cli-host.ts';
import { ownCommand } from '../hook/find-program.ts';

/** Where the child of a run finds `ctx`. */
export interface CommandPath {
  readonly path: string;
  /** A folder created for this run. The caller deletes it. */
  readonly folder?: string;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The PATH with `ctx` on it: as it is, or with a folder that holds nothing but `ctx`. */
export async function pathWithCommand(host: Pick<CliHost, 'env'>): Promise<CommandPath> {
  const before = host.env['PATH'] ?? '';
  const { command, args } = ownCommand(host);
  if (args.length === 0) return { path: before };
  const folder = await mkdtemp(join(tmpdir(), 'ctx-run-'));
  const words = [command, ...process.execArgv, ...args];
  const call = words.map(quoted).join(' ');
  await writeFile(join(folder, 'ctx'), `#!/bin/sh\nexec ${call} "$@"\n`, { mode: 0o700 });
  const batch = words.map((word) => `"${word}"`).join(' ');
  await writeFile(join(folder, 'ctx.cmd'), `@${batch} %*\r\n`); // Windows runs this one.
  return { path: [folder, before].join(delimiter), folder };
}
