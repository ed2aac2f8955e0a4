/** Ids that stand in a URL as they are: `user:agent:1` among them, nothing that a path or a file could read otherwise. */
export const plainId: RegExp = /^[A-Za-z0-9_][A-Za-z0-9_:-]{0,127}$/;

/** How an id stands in a URL: as it is, or as `~` and the base64url of its UTF-8. */
export function idInUrl(id: string): string {
  if (plainId.test(id)) return id;
  const bytes = Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte));
  const text = btoa(bytes.join(''));
  return `~${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}
