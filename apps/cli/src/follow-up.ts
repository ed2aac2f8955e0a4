import type { CliHost } from './cli-host.ts';

/** A word as a shell takes it: in single quotes where it holds more than plain signs. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command to copy and paste, called in the way that this one was called. */
export function followUp({ env }: Pick<CliHost, 'env'>, words: readonly string[]): string {
  const isScript = ['ctx', 'start'].includes(env['npm_lifecycle_event'] ?? '');
  return [isScript ? 'npm run ctx -- ' : 'ctx ', words.map(shellWord).join(' ')].join('');
}
