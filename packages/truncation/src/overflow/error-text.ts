/** What an error says, in one lower-case text, and the HTTP status it came with. */
export interface ErrorText {
  readonly text: string;
  readonly status?: number;
}

/** Members that hold what a provider said, or a further error. Requests that errors quote are not looked at. */
const tellingNames = new Set([
  'body',
  'cause',
  'code',
  'data',
  'detail',
  'error',
  'errors',
  'lasterror',
  'message',
  'metadata',
  'n_ctx',
  'n_prompt_tokens',
  'raw',
  'reason',
  'response',
  'responsebody',
  'status',
  'statuscode',
  'type',
  '$metadata',
  'httpstatuscode',
]);

const statusNames = new Set(['status', 'statuscode', 'code', 'httpstatuscode']);

/** Most objects, and characters, that are read of one error. */
const maxObjects = 50;
const maxCharacters = 20_000;

interface Walk {
  readonly open: unknown[];
  readonly seen: Set<object>;
  text: string;
  status: number | undefined;
}

/** `Error.message` and the like are not enumerable, so that names are asked for. */
function membersOf(value: object): [string, unknown][] {
  const names = [...new Set([...Object.keys(value), ...Object.getOwnPropertyNames(value)])];
  return names.slice(0, 100).flatMap((name): [string, unknown][] => {
    if (!tellingNames.has(name.toLowerCase()) && !Array.isArray(value)) return [];
    const member: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
    return [[name, member]];
  });
}

function takeNumber(walk: Walk, name: string, value: number): void {
  walk.text += `\n${name}: ${String(value)}`;
  const isStatus = statusNames.has(name.toLowerCase()) && value >= 100 && value < 600;
  if (isStatus) walk.status ??= value;
}

/** Adds a text, as far as there is room. Bodies are JSON in a text: their quotes and signs do no harm. */
function takeText(walk: Walk, text: string): void {
  const room = maxCharacters - walk.text.length;
  if (room > 0) walk.text += `\n${text.slice(0, room)}`;
}

function takeMember(walk: Walk, name: string, value: unknown): void {
  if (typeof value === 'string') takeText(walk, value);
  else if (typeof value === 'number') takeNumber(walk, name, value);
  else if (typeof value === 'object' && value !== null) walk.open.push(value);
}

/**
 * Reads an error of any shape: an `Error`, the body of an answer, a text, wrapped ones.
 * Never throws and calls no getter; at most 50 objects and 20,000 characters are read. Takes time linear in these.
 */
export function errorText(error: unknown): ErrorText {
  const walk: Walk = { open: [], seen: new Set(), text: '', status: undefined };
  takeMember(walk, 'message', error);
  for (let value = walk.open.shift(); value !== undefined; value = walk.open.shift()) {
    if (typeof value !== 'object' || value === null || walk.seen.has(value)) continue;
    if (walk.seen.size >= maxObjects) break;
    walk.seen.add(value);
    for (const [name, member] of safeMembers(value)) takeMember(walk, name, member);
  }
  const text = walk.text.toLowerCase();
  return walk.status === undefined ? { text } : { text, status: walk.status };
}

/** A proxy may throw whatever is asked of it. */
function safeMembers(value: object): [string, unknown][] {
  try {
    return membersOf(value);
  } catch {
    return [];
  }
}
