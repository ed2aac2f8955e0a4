/** Members whose value is free JSON: the model reads it in the order in which it was written. */
const freeMembers = new Set([
  'input',
  'input_schema',
  'parameters',
  'parametersJsonSchema',
  'schema',
  'args',
  'response',
]);

/** Members that say where to cache, not what: they may move without a cost. */
const silentMembers = new Set(['cache_control']);

/** Deepest nesting that is looked into; deeper values count as equal texts only. */
const maxDepth = 60;

/** JSON of any value; deeper nesting than the engine can write counts as one text. */
function jsonOf(value: unknown): string {
  if (value === undefined) return 'null';
  try {
    return JSON.stringify(value);
  } catch {
    return '"nested too deeply"';
  }
}

function sortedMembers(value: object): [string, unknown][] {
  const members = Object.entries(value).filter(
    ([name, member]) => member !== undefined && !silentMembers.has(name),
  );
  return members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function write(
  value: unknown,
  depth: number,
  freeText: (free: unknown, depth: number) => string,
): string {
  if (typeof value !== 'object' || value === null || depth > maxDepth) {
    return jsonOf(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((each) => write(each, depth + 1, freeText)).join(',')}]`;
  }
  const members = sortedMembers(value).map(([name, member]) => {
    const text = freeMembers.has(name)
      ? freeText(member, depth + 1)
      : write(member, depth + 1, freeText);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join(',')}}`;
}

/**
 * A part of a request as far as a provider's cache tells it from another: members of the format in one order, since they are
 * read by name; free JSON (inputs, schemas) in the order it has; without marks for the cache itself.
 */
export function exactText(part: unknown): string {
  return write(part, 0, jsonOf);
}

function sortedFree(value: unknown, depth = 0): string {
  return write(value, depth, sortedFree);
}

/** Arguments that are JSON in a string, as the APIs of OpenAI have them. */
function withParsedArguments(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  const members = Object.entries(part).map(([name, value]): [string, unknown] => {
    if (name === 'function') return [name, withParsedArguments(value)];
    return [name, name === 'arguments' && typeof value === 'string' ? parsed(value) : value];
  });
  return Object.fromEntries(members);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The same with all members sorted: equal for parts that say the same in another order. */
export function canonicalText(part: unknown): string {
  return sortedFree(withParsedArguments(part));
}
