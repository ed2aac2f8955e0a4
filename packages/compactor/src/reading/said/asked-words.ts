import { speech } from '@ctx/store';

/** The longest block of code that belongs to the words before it, lines and characters. */
const [mostLines, mostCharacters] = [3, 300];

/** Longest title of a document, characters. */
const maxTitle = 160;

/** An element in which people and harnesses hand in what is to be done. */
const elementOfTask =
  /^<(?:\w{1,40}[-_])?(?:issue|task|problem|pr|bug|question|feature|ticket|request|story)(?:[-_]\w{1,40})?>$/i;

/** The lines of a short block of code that begins here. */
function shortBlock(lines: readonly string[], start: number): readonly string[] {
  const code = lines.slice(start + 1, start + mostLines + 2);
  const end = code.findIndex((line) => line.trim() === '```');
  const block = code.slice(0, Math.max(0, end)).map((line) => line.trim());
  return block.join('').length > mostCharacters ? [] : block.map((line) => `\`${line}\``);
}

/** What follows a line that ends with a colon, if it is a short block of code, or the title of a document, also of one in an element. */
function ledTo(lines: readonly string[], start: number): readonly string[] {
  const next = lines.findIndex((line, index) => index >= start && line.trim() !== '');
  const isElement = elementOfTask.test(lines[next]?.trim() ?? '');
  const at = lines.findIndex(
    (line, index) => index >= next + Number(isElement) && line.trim() !== '',
  );
  const line = lines[at]?.trim() ?? '';
  if (line.startsWith('```')) return shortBlock(lines, at);
  const isTitle = isElement ? !line.startsWith('<') : /^#{1,3} \S/.test(line);
  return isTitle && line.length <= maxTitle ? [line] : [];
}

/**
 * What a person asked for in a message: their own words, with the commands and the title of the document to which a line leads that ends with a
 * colon. "Implement the following plan:" alone asks for nothing. Takes linear time.
 */
export function askedWords(text: string): string {
  const typed = speech.typedText(text);
  if (!/:\s*$/m.test(typed)) return typed;
  const lines = text.split('\n');
  const own = new Set(typed.split('\n'));
  let position = 0;
  const asked = typed.split('\n').flatMap((line) => {
    if (!line.trimEnd().endsWith(':')) return [line];
    const at = lines.findIndex((one, index) => index >= position && one.trim() === line.trim());
    if (at === -1) return [line];
    position = at + 1;
    return [line, ...ledTo(lines, position).filter((led) => !own.has(led))];
  });
  return asked.join('\n');
}
