/** Names that are quoted already: those of definitions, few and always the same. */
const quoted = new Map<string, string>();
const mostQuoted = 2000;

/** Returns a name as SQL takes it, whatever it holds. */
export function quoteName(name: string): string {
  const known = quoted.get(name);
  if (known !== undefined) return known;
  const made = `"${name.replaceAll('"', '""')}"`;
  if (quoted.size < mostQuoted) quoted.set(name, made);
  return made;
}
