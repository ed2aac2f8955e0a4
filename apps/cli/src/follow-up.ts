import { delimiter, dirname, join, relative } from 'node:path';
import type { CliHost } from './cli-host.ts';

/** A word as a shell takes it: in single quotes if it holds more than plain characters. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** How a script of a package is called from where the user stands. */
function callOfScript({ env }: Pick<CliHost, 'env'>): string {
  const { npm_package_json: manifest = '', INIT_CWD: caller = '' } = env;
  const folder = dirname(manifest);
  const isInside = manifest === '' || caller === '' || !relative(folder, caller).startsWith('..');
  return isInside ? 'npm run ctx --' : `npm --prefix ${shellWord(folder)} run ctx --`;
}

/** How this command was called: by name, by a script of npm, or by npx, which finds it in the project or in a folder of its own. */
export function callOf(host: Pick<CliHost, 'env'>): string {
  const { npm_lifecycle_event: event, npm_package_name: name = 'ctx', PATH = '' } = host.env;
  if (event === undefined) return 'ctx';
  if (event === 'ctx' || (event === 'start' && name === 'ctx')) return callOfScript(host);
  const folder = PATH.split(delimiter).find((each) => /[\\/]_npx[\\/]/.test(each));
  return folder === undefined ? 'npx ctx' : shellWord(join(folder, 'ctx'));
}

/** A command to copy and paste, called in the way that this one was called. */
export function followUp(host: Pick<CliHost, 'env'>, words: readonly string[]): string {
  return `${callOf(host)} ${words.map(shellWord).join(' ')}`;
}
