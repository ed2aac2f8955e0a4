/** Tags under which agent hosts put text of their own into the user's messages. Source: Claude Code 2. */
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
];

/** Leaves out what an agent's host wrote into a message, and white space around the rest. Cost: linear. */
export function spokenText(text: string): string {
  if (!text.includes('<')) return text.trim();
  // What stands behind a command's name is the user's.
  return hostTags
    .reduce(withoutTag, text)
    .replaceAll(/<\/?command-args>/g, '')
    .trim();
}

function withoutTag(text: string, tag: string): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  let kept = '';
  let position = 0;
  for (;;) {
    const start = text.indexOf(open, position);
    const end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) return kept + text.slice(position);
    kept += text.slice(position, start);
    position = end + close.length;
  }
}
