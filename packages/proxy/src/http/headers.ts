/** Headers that belong to one connection, not to what is sent over it. */
const hopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Names and values one after the other, as Node gives and takes them. */
export type RawHeaders = readonly string[];

/** The headers that go on to the other side, without those named in `left`. */
export function forwarded(raw: RawHeaders, left: readonly string[] = []): string[] {
  const named = new Set(left);
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const key = name.toLowerCase();
    if (!hopHeaders.has(key) && !named.has(key)) kept.push(name, raw[at + 1] ?? '');
  }
  return kept;
}
