/** How hosts head the rules of a project that they put into the user's place. Source: opencode, Gemini CLI, Codex, Claude Code 2. */
const heads =
  /^(?:Instructions from: \S+$|--- Context from: .* ---$|--- project-doc ---$|Contents of \S+\.mdc?(?: .*)?:$|# (?:AGENTS|CLAUDE|GEMINI)(?:\.local)?\.md$)/;

/** What a head names: a file. */
const file = /[/.]\S|---$|\.md$/;

/** Whether a line heads the rules of a project. */
function isHead(line: string): boolean {
  const text = line.trim();
  return heads.test(text) && file.test(text);
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
