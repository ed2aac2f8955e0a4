/** The places of all messages that a text names by addresses such as `ctx://messages/3-8,12`. */
export function namedPlaces(text: string): Set<number> {
  const named = new Set<number>();
  for (const [, list = ''] of text.matchAll(/ctx:\/\/messages\/([\d,-]+)/g)) {
    for (const part of list.split(',')) {
      const [from = 0, to = from] = part.split('-').map(Number);
      for (let place = from; place <= to; place += 1) named.add(place);
    }
  }
  return named;
}
