/** Names that JSON writes as they are, however it is made. */
const plainName = /^[\w.:-]+$/;

/** Of more names than these a part is read rather than searched. */
const mostSearched = 8;

/**
 * Whether the body of a part may name any of these items or sessions.
 * True where it does. Looks at the text for each of a few plain names, which is a tenth of reading the part.
 */
export function mayName(body: string, names: ReadonlySet<string>): boolean {
  if (names.size > mostSearched) return true;
  return [...names].some((name) => !plainName.test(name) || body.includes(`"${name}"`));
}
