/** What is read of each object of a host is kept as long as the host keeps the object. */
export interface ReadOnce<Given extends object, Read> {
  (given: Given): Read;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Levels of lists in lists that are looked at: the content of a result within the content of a message. */
const maxLevels = 2;

/** The texts, lists and parts that an object consists of: a host that changes one in place has made another object. */
function partsOf(value: unknown, parts: unknown[], level = 0): void {
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) {
    const member = value[key];
    parts.push(key, member);
    if (!Array.isArray(member) || level >= maxLevels) continue;
    parts.push(member.length);
    for (const part of member) {
      parts.push(part);
      partsOf(part, parts, level + 1);
    }
  }
}

/** What `partsOf` gave, and how far it was compared. */
interface Comparison {
  readonly parts: readonly unknown[];
  at: number;
}

function takes(comparison: Comparison, value: unknown): boolean {
  const isSame = Object.is(comparison.parts[comparison.at], value);
  comparison.at += 1;
  return isSame;
}

function holdsList(list: readonly unknown[], comparison: Comparison, level: number): boolean {
  if (!takes(comparison, list.length)) return false;
  for (const part of list) {
    if (!takes(comparison, part) || !holds(part, comparison, level)) return false;
  }
  return true;
}

/** Whether `partsOf` would give the same again, without making that list. */
function holds(value: unknown, comparison: Comparison, level = 0): boolean {
  if (!isRecord(value)) return true;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (!takes(comparison, key) || !takes(comparison, member)) return false;
    if (!Array.isArray(member) || level >= maxLevels) continue;
    if (!holdsList(member, comparison, level + 1)) return false;
  }
  return true;
}

function isUnchanged(value: unknown, parts: readonly unknown[]): boolean {
  const comparison = { parts, at: 0 };
  return holds(value, comparison) && comparison.at === parts.length;
}

/**
 * Reads each object once. Contract: `read` is pure; an object whose members, or the members of parts in its lists, were changed in place is
 * read again. Cost of an object that is known: a look at its members, whatever the length of its texts.
 */
export function readOnce<Given extends object, Read>(
  read: (given: Given) => Read,
): ReadOnce<Given, Read> {
  const known = new WeakMap<Given, { readonly parts: readonly unknown[]; readonly read: Read }>();
  return (given) => {
    const before = known.get(given);
    if (before !== undefined && isUnchanged(given, before.parts)) return before.read;
    const parts: unknown[] = [];
    partsOf(given, parts);
    const result = read(given);
    known.set(given, { parts, read: result });
    return result;
  };
}
