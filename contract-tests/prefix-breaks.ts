/** How often a request did not begin with the one before it: then the cache of the provider does not hold it. */
export function prefixBreaks(requests: readonly (readonly unknown[])[]): number {
  const texts = requests.map((messages) => messages.map((message) => JSON.stringify(message)));
  return texts.filter((now, index) => {
    const before = texts[index - 1] ?? [];
    return before.some((message, place) => now[place] !== message);
  }).length;
}
