/** The id that stands in an address, in the form that the server's addresses have; the address itself where it is of no such form. */
export function idOfUrl(part: string): string {
  if (!part.startsWith('~')) return part;
  try {
    const binary = atob(part.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(binary, (sign) => sign.codePointAt(0) ?? 0));
  } catch {
    return part;
  }
}
