import { isJson } from '../compress/json/json-scan.ts';

/** By what parts a text can be read: a text of long lines gives nearly everything for a line or a match. */
export type ReadableBy = 'lines' | 'characters' | 'members';

/** Longer lines, on average, are not read by line. */
const longLine = 4000;

/** Returns by what parts a text of so many lines is best read. */
export function readableBy(text: string, lines: number): ReadableBy {
  if (text.length / Math.max(1, lines) <= longLine) return 'lines';
  return /^\s*[[{]/.test(text.slice(0, 200)) && isJson(text) ? 'members' : 'characters';
}

/** For a model that has the tools of `readBackTools`. */
export function toolReadHint(uri: string, by: ReadableBy): string {
  const args = (part: string): string => `{"pointer":"${uri}",${part}}`;
  const characters = args('"characters":"1-12000"');
  const parts = {
    lines: `${args('"from":1,"to":200')} or ${args('"pattern":"…"')}`,
    characters: `${characters} or ${args('"pattern":"…"')}`,
    members: `${args('"jsonPath":"$.…"')} or ${characters}`,
  };
  return `read more with ctx_read_output ${parts[by]}`;
}

/** For a model that has a shell, in which the command `read` shows the output. */
export function shellReadHint(read: string, by: ReadableBy): string {
  const parts = {
    lines: `${read} --lines 1-200, or --grep <pattern>`,
    characters: `${read} --characters 1-12000`,
    members: `${read} --json-path '<path>', or --characters 1-12000`,
  };
  return `read more in a shell with: ${parts[by]}`;
}
