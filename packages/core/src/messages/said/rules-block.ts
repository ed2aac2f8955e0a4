/** How a host heads the rules of a project that it puts into the user's place: the first word behind `start` names a file. */
interface Head {
  readonly start: string;
  readonly file: RegExp;
  readonly end: RegExp;
}

const heads: readonly Head[] = [
  { start: 'Instructions from: ', file: /[/.]/, end: /^\S*$/ }, // opencode
  { start: '--- Context from: ', file: /^./, end: / ---$/ }, // Gemini CLI
  { start: '--- project-doc ---', file: /^$/, end: /^$/ }, // Codex
  { start: 'Contents of ', file: /\.mdc?\b/, end: /:$/ }, // Claude Code 2
];
const ownHead = /^# (?:AGENTS|CLAUDE|GEMINI)(?:\.local)?\.md$/;

/** Whether a line heads the rules of a project. */
function isHead(line: string): boolean {
  const text = line.trim();
  const head = heads.find(({ start }) => text.startsWith(start));
  if (head === undefined) return ownHead.test(text);
  const rest = text.slice(head.start.length);
  return head.end.test(rest) && head.file.test(rest.split(' ', 1)[0] ?? '');
}

/** Words of a standing rule. */
const standing =
  /\b(?:always|never|must|prefer|avoid|do not|don't|no|use|only|should|required?|forbidden)\b/i;

/** How a person speaks for themselves. */
const personal = /\?|\b(?:I|I'm|me|my|please|you|this|that)\b/i;

/** Fewer rules may be what the person asks for. */
const leastRules = 2;

/** Whether a text begins as the rules of a project do where a host puts them in. Takes constant time. */
export function beginsAsRules(text: string): boolean {
  const start = text.slice(0, 3000).trimStart();
  return isHead(start.split('\n', 1)[0] ?? '');
}

function isListOfRules(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < leastRules || personal.test(text)) return false;
  return lines.every((line) => line.length <= 300 && standing.test(line));
}

/**
 * The blocks of a user's message without those that a host put before the user's words without a tag: bare lists of standing rules. The last
 * block is the user's whatever it says. Takes linear time.
 */
export function ownBlocks(blocks: readonly string[]): string[] {
  return blocks.filter((block, at) => at === blocks.length - 1 || !isListOfRules(block));
}
