import type { CliHost } from './cli-host.ts';

/** A word as a shell takes it: in single quotes if it holds more than plain characters. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** How this command was called: by name, by a script of npm, or by npx, which finds it in the project or in a folder of its own. */
function callOf({ env }: Pick<CliHost, 'env'>): string {
  const { npm_lifecycle_event: event, npm_package_name: name = 'ctx', PATH = '' } = env;
  if (event === undefined) return 'ctx';
  if (event === 'ctx' || (event === 'start' && name === 'ctx')) return 'npm run ctx --';
  return /[\\/]_npx[\\/]/.test(PATH) ? 'npx @ctx/cli' : 'npx ctx';
}

/** A command to copy and paste, called in the way that this one was called. */
export function followUp(host: Pick<CliHost, 'env'>, words: readonly string[]): string {
  return `${callOf(host)} ${words.map(shellWord).join(' ')}`;
}
