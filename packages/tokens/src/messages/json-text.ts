/** Opaque proofs that a provider checks but does not bill as text. */
const unbilledKeys: ReadonlySet<string> = new Set([
  'signature',
  'thoughtSignature',
  'thought_signature',
]);

/** Stands in the JSON text of whatever has one of them. */
const endOfUnbilled = 'ignature"';

/**
 * The JSON text of any value, for counting.
 * Never throws. A value that JSON cannot hold (a cycle, depth over the stack, a bigint) gives its keys and
 * leaves, one a line, each object once.
 * Makes one pass, two where a proof may be among it.
 */
export function jsonText(value: unknown): string {
  const whole = allText(value);
  // A function that looks at each member takes several times as long.
  if (whole?.includes(endOfUnbilled) === false) return whole;
  try {
    // `stringify` gives undefined for undefined and functions, which its type does not say.
    const billed = (key: string, inner: unknown): unknown =>
      unbilledKeys.has(key) ? undefined : inner;
    const text = JSON.stringify(value, billed) as string | undefined;
    return text ?? '';
  } catch {
    return leafText(value);
  }
}

function allText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function leafText(root: unknown): string {
  const lines: string[] = [];
  const seen = new Set<unknown>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (isLeaf(value)) lines.push(String(value));
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const keys = ownKeys(value).filter((key) => !unbilledKeys.has(key));
    if (!Array.isArray(value)) for (const key of keys) lines.push(key);
    for (const key of keys) pending.push(readProperty(value, key));
  }
  return lines.join('\n');
}

function isLeaf(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function ownKeys(value: object): string[] {
  try {
    return Object.keys(value);
  } catch {
    return []; // a revoked or hostile proxy
  }
}

/** Reads a property of a value of unknown shape; `undefined` where there is none or its getter throws. */
export function readProperty(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const found: unknown = Reflect.get(value, key);
    return found;
  } catch {
    return undefined;
  }
}

/** Like {@link readProperty}, if it is a string. */
export function readText(value: unknown, key: string): string | undefined {
  const found = readProperty(value, key);
  return typeof found === 'string' ? found : undefined;
}
