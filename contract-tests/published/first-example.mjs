import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The first ```ts block of a folder's README.md that is no fragment, or undefined. Cost: one pass over the lines. */
export function firstExample(folder) {
  const readme = path.join(folder, 'README.md');
  if (!existsSync(readme)) return undefined;
  const lines = readFileSync(readme, 'utf8').split(/\r?\n/);
  const start = lines.findIndex((line) => /^```(ts|typescript)(?! fragment)(\s|$)/.test(line));
  if (start === -1) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('```'));
  return length === -1 ? undefined : `${lines.slice(start + 1, start + 1 + length).join('\n')}\n`;
}
