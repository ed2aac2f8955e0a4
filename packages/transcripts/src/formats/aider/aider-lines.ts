import type { Usage } from '../../transcript.ts';

/** How a run begins. */
export const runHeading = '# aider chat started at ';

/** The kind of a line, as far as it shows. */
export type AiderLine = 'heading' | 'user' | 'console' | 'answer';

/** Tells the kind of a line outside of code fences. */
export function kindOfLine(line: string): AiderLine {
  if (line.startsWith(runHeading)) return 'heading';
  if (line.startsWith('#### ') || line.trimEnd() === '####') return 'user';
  return line.startsWith('> ') || line.trimEnd() === '>' ? 'console' : 'answer';
}

/** Tells a line that opens or closes a code fence; gives its sign and length. */
export function fenceOf(line: string): string | undefined {
  const sign = line[0];
  if (sign !== '`' && sign !== '~') return undefined;
  let length = 0;
  while (line[length] === sign) length += 1;
  return length >= 3 ? line.slice(0, length) : undefined;
}

/** The usage that a console line tells; `undefined` where it tells none. */
export function usageOfLine(line: string): Usage | undefined {
  if (!line.startsWith('> Tokens: ')) return undefined;
  const [figures = ''] = line.slice('> Tokens: '.length, 300).split('. ', 1);
  const parts = figures.split(', ').map((part) => part.trim().replace(/\.$/u, ''));
  const count = (...names: readonly string[]): number => {
    const part = parts.find((one) => names.some((name) => one.endsWith(` ${name}`)));
    return part === undefined ? 0 : countOf(part);
  };
  if (!parts.some((part) => part.endsWith(' sent'))) return undefined;
  return {
    input: count('sent'),
    cacheRead: count('cached', 'cache hit'),
    cacheWrite: count('cache write'),
    output: count('received'),
  };
}

/** A count as it is shown: `5,244`, `2.4k` or `1.2M`. */
function countOf(part: string): number {
  const [text = ''] = part.split(' ', 1);
  const unit = text.endsWith('k') ? 1_000 : text.endsWith('M') ? 1_000_000 : 1;
  const value = Number(text.replaceAll(',', '').replace(/[kM]$/u, ''));
  return Number.isFinite(value) && value > 0 ? Math.round(value * unit) : 0;
}

/** The time of a heading in ms: the local time of the writer, whose zone is not known, taken as UTC. */
export function timeOfHeading(line: string): number | undefined {
  const at = Date.parse(`${line.slice(runHeading.length).trim().replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? undefined : at;
}
