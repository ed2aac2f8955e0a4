/** What stands in quotes, or from a quote that nothing closes to the end. */
export const quoted: RegExp = /'[^']*(?:'|$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

/** Where a chain of commands goes on with the next. */
const joints = /&&|\|\||[;\n]/g;

/** Settings before a program, and where its output leads. */
const settings = /^(?:\w{1,60}=\S{0,200}\s+|env\s+)+/;
const redirections = /\s?(?:\d?>&\d|&?\d?>>?\s?[^\s>]{1,300})/g;

/** Longest command that is looked at, characters. */
const maxCommand = 4000;

/** What a part of a chain runs: without settings, and without what only filters or redirects its output. */
function runOf(part: string, masked: string): string {
  const pipe = masked.indexOf('|');
  return part
    .slice(0, pipe === -1 ? undefined : pipe)
    .trim()
    .replace(settings, '')
    .replace(redirections, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What stands at the end of a line that goes on in the next. */
const goesOn = /(?:[|;({\\]|&&|\b(?:do|then|else))$/;

/** A command on one line: lines that stand for themselves are told apart. A document that a command is given stays as it is. */
export function joinedLines(command: string): string {
  if (command.includes('<<')) return command.replace(/\s+/g, ' ').trim();
  const masked = command.replace(quoted, (text) => '_'.repeat(text.length));
  let joined = '';
  let start = 0;
  for (const { index } of masked.matchAll(/\n/g)) {
    const line = command.slice(start, index).trim();
    joined += line === '' || goesOn.test(line) ? `${line.replace(/\\$/, '')} ` : `${line} ; `;
    start = index + 1;
  }
  return `${joined}${command.slice(start)}`.replace(/\s+/g, ' ').trim();
}

/**
 * The commands that a command line chains, in order, each as it is known again in another line: `cd a && CI=1 npm test 2>&1 | tail -5` chains
 * `cd a` and `npm test`. Takes linear time.
 */
export function commandParts(command: string): string[] {
  const line = command.slice(0, maxCommand);
  const masked = line.replace(quoted, (text) => '_'.repeat(text.length));
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: joint } of masked.matchAll(joints)) {
    parts.push(runOf(line.slice(start, index), masked.slice(start, index)));
    start = index + joint.length;
  }
  parts.push(runOf(line.slice(start), masked.slice(start)));
  return parts.filter((part) => part !== '');
}
