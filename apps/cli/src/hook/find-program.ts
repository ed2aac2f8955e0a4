import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { planHookSettings } from '@ctx/claude-code';
import type { CliHost } from '../cli-host.ts';

/** A program and its arguments. */
type HookCommand = Parameters<typeof planHookSettings>[1];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * How this command is started by another program: by its name where PATH has it, else by this Node and the file, which hold on this
 * machine only.
 */
export function ownCommand({ env }: Pick<CliHost, 'env'>): HookCommand {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((each) => isAbsolute(each));
  if (folders.some((folder) => isProgram(join(folder, 'ctx')))) return { command: 'ctx', args: [] };
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'cjs';
  const script = fileURLToPath(new URL(`../bin.${ending}`, import.meta.url));
  return { command: process.execPath, args: [script] };
}
