/** Tags under which agent hosts put text of their own into the user's messages. Source: Claude Code 2, Codex, Cline. */
const hostTags: readonly string[] = [
  'system-reminder',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'command-contents',
  'command-name',
  'command-message',
  'bash-stdout',
  'bash-stderr',
  'task-notification',
  'user_instructions',
  'INSTRUCTIONS',
  'environment_context',
  'environment_details',
  'turn_aborted',
  'ide_opened_file',
  'ide_selection',
  'user-prompt-submit-hook',
];

/** How Codex heads the rules of a project that it puts into the user's place. */
const rulesHeading = /^# AGENTS\.md instructions for [^\n]{1,1000}$/gm;

/** Leaves out the reminders that a host appends to results. Takes linear time. */
export function withoutReminders(text: string): string {
  return text.includes('<system-reminder') ? withoutTag(text, 'system-reminder') : text;
}

/** Leaves out what an agent's host wrote into a message, and white space around the rest. Takes linear time. */
export function spokenText(text: string): string {
  if (!text.includes('<')) return text.trim();
  // What stands after a command's name is the user's.
  return hostTags
    .reduce(withoutTag, text)
    .replaceAll(/<\/?command-args>/g, '')
    .replaceAll(rulesHeading, '')
    .trim();
}

/** Where a tag of exactly this name opens, with attributes or without; -1 where none does. */
function tagStart(text: string, open: string, position: number): number {
  let start = text.indexOf(open, position);
  while (start !== -1 && !/[\s>]/.test(text[start + open.length] ?? '')) {
    start = text.indexOf(open, start + open.length);
  }
  return start;
}

function withoutTag(text: string, tag: string): string {
  const [open, close] = [`<${tag}`, `</${tag}>`];
  let kept = '';
  let position = 0;
  for (;;) {
    const start = tagStart(text, open, position);
    const end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) return kept + text.slice(position);
    kept += text.slice(position, start);
    position = end + close.length;
  }
}
