/** Whether ctx wrote a line: a notice, or the line that stays of a call. */
function isOwnLine(line: string): boolean {
  const isInBrackets = line.startsWith('[') && line.endsWith(']');
  return isInBrackets && (line.startsWith('[ctx: ') || line.includes(' → ctx://'));
}

/** An address in such a line. */
const address = /ctx:\/\/(outputs|messages)\/([\w,-]+)/g;

/**
 * Turns the addresses in the lines of ctx into commands that an agent's shell runs: `ctx read ctx://outputs/x`, and `ctx read SESSION/4,6`
 * for messages of the session, which is half as long. All other lines stay as they are.
 */
export function withCommands(text: string, sessionId: string): string {
  if (!text.includes('ctx://')) return text;
  const written = (line: string): string => {
    if (!isOwnLine(line) || line.includes('ctx read ')) return line;
    return line.replaceAll(address, (uri, kind: string, name: string) =>
      kind === 'messages' ? `ctx read ${sessionId}/${name}` : `ctx read ${uri}`,
    );
  };
  return text.split('\n').map(written).join('\n');
}
