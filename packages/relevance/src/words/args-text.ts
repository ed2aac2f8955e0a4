/** Deeper values of arguments are not read. */
const maxDepth = 8;
/** Most members that are read in one object or list. */
const maxMembers = 1_000;

/**
 * The strings within a call's arguments, a line each, without the names of the fields: what the call was about.
 * Never throws; at most `maxCharacters` long (default 8,000).
 */
export function argsText(args: unknown, maxCharacters = 8_000): string {
  const lines: string[] = [];
  collect(args, { lines, left: maxCharacters }, 0);
  return lines.join('\n').slice(0, maxCharacters);
}

interface Collected {
  readonly lines: string[];
  left: number;
}

function collect(value: unknown, into: Collected, depth: number): void {
  if (into.left <= 0 || depth > maxDepth) return;
  if (typeof value === 'string') {
    if (value === '') return;
    into.lines.push(value.slice(0, into.left));
    into.left -= value.length + 1;
    return;
  }
  if (typeof value === 'object' && value !== null) {
    for (const member of membersOf(value)) collect(member, into, depth + 1);
  }
}

/** Getters may throw, and arguments may come from anywhere. */
function membersOf(value: object): unknown[] {
  try {
    return Object.values(value).slice(0, maxMembers);
  } catch {
    return [];
  }
}
