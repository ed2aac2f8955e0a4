/** The secret of a key's text, `ctx_<id>_<secret>`: it may have the sign in it, and begin with it, that stands between them. */
export function secretOf(key: string): string {
  const [start = '', id = ''] = key.split('_');
  return key.slice(`${start}_${id}_`.length);
}
