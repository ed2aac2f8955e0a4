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

/**
 * Reads each object once. Contract: `read` is pure; an object whose members, or the members of parts in its lists, were changed in place is
 * read again. Cost of an object that is known: a look at its members, whatever the length of its texts.
 */
export function readOnce<Given extends object, Read>(
  read: (given: Given) => Read,
): ReadOnce<Given, Read> {
  const known = new WeakMap<Given, { readonly parts: readonly unknown[]; readonly read: Read }>();
  return (given) => {
    const parts: unknown[] = [];
    partsOf(given, parts);
    const before = known.get(given);
    const isSame =
      before !== undefined &&
      before.parts.length === parts.length &&
      before.parts.every((part, index) => Object.is(part, parts[index]));
    if (isSame) return before.read;
    const result = read(given);
    known.set(given, { parts, read: result });
    return result;
  };
}
