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

/** How other programs start this one: by name if PATH has it, without folders that npm adds for its children; else by Node and file. */
export function ownCommand({ env }: Pick<CliHost, 'env'>): HookCommand {
  const all = (env['PATH'] ?? '').split(delimiter).filter((each) => isAbsolute(each));
  const isByNpm = env['npm_config_user_agent'] !== undefined;
  const folders = isByNpm ? all.filter((each) => !/node_modules.\.bin.?$/.test(each)) : all;
  if (folders.some((folder) => isProgram(join(folder, 'ctx')))) return { command: 'ctx', args: [] };
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'cjs';
  const script = fileURLToPath(new URL(`../bin.${ending}`, import.meta.url));
  return { command: process.execPath, args: [script] };
}
