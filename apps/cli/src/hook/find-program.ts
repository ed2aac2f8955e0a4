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
 * Returns how another program starts this command: by its name if PATH has it, in another folder than those that npm adds for what it
 * starts itself; else by this Node and this file.
 */
export function ownCommand({ env }: Pick<CliHost, 'env'>): HookCommand {
  const all = (env['PATH'] ?? '').split(delimiter).filter((each) => isAbsolute(each));
  const folders = all.filter((each) => !/node_modules.\.bin.?$/.test(each));
  if (folders.some((folder) => isProgram(join(folder, 'ctx')))) return { command: 'ctx', args: [] };
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'cjs';
  const script = fileURLToPath(new URL(`../bin.${ending}`, import.meta.url));
  return { command: process.execPath, args: [script] };
}
