import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { planHookSettings } from '@ctx/claude-code';
import type { CliHost } from '../cli-host.ts';

/** A program and its arguments. */
type HookCommand = Parameters<typeof planHookSettings>[1];

/** Whether one of the folders of PATH holds a program. */
async function isOnPath(name: string, path: string): Promise<boolean> {
  for (const folder of path.split(delimiter).filter((each) => isAbsolute(each))) {
    const found = access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (await found) return true;
  }
  return false;
}

/**
 * How this command is started by another program: by its name where PATH has it, else by this Node and the file, which hold on this
 * machine only.
 */
export async function ownCommand({ env }: Pick<CliHost, 'env'>): Promise<HookCommand> {
  if (await isOnPath('ctx', env['PATH'] ?? '')) return { command: 'ctx', args: [] };
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'cjs';
  const script = fileURLToPath(new URL(`../bin.${ending}`, import.meta.url));
  return { command: process.execPath, args: [script] };
}
