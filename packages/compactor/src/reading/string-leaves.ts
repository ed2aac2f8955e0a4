/** Values that are looked at in one call's arguments. */
const maxValues = 10_000;

/** The texts in foreign data, however deep, without the names they stand under. Never throws; ends on cycles. */
export function stringLeaves(value: unknown): string[] {
  const texts: string[] = [];
  const open: unknown[] = [value];
  const visited = new Set<object>();
  for (let seen = 0; open.length > 0 && seen < maxValues; seen += 1) {
    const next = open.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null && !visited.has(next)) {
      visited.add(next);
      open.push(...valuesOf(next));
    }
  }
  return texts.reverse();
}

function valuesOf(value: object): unknown[] {
  try {
    return Object.values(value).slice(0, maxValues);
  } catch {
    return [];
  }
}
