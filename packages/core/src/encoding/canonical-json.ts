import { encodeValue } from './encode-value.ts';
import type { EncodedContainer, EncodedValue } from './encoded-value.ts';

/**
 * Returns the canonical JSON text of a value: no white space, keys sorted by UTF-16 code unit at every level.
 *
 * Equal values return equal texts whatever the order of their keys; different values return different texts. Values that
 * JSON cannot express are encoded by `encodeValue` first. Lone surrogates are escaped. Depth uses no stack.
 */
export function canonicalJson(value: unknown): string {
  return canonicalJsonOfEncoded(encodeValue(value));
}

/** Text to write, or a value that is still to be written. */
type Step = { readonly text: string } | { readonly value: EncodedValue };

/** Does the same for a value that is already encoded: tags stay tags. */
export function canonicalJsonOfEncoded(root: EncodedValue): string {
  const parts: string[] = [];
  const steps: Step[] = [{ value: root }];
  for (let step = steps.pop(); step; step = steps.pop()) {
    if ('text' in step) parts.push(step.text);
    else if (typeof step.value !== 'object' || step.value === null) {
      parts.push(JSON.stringify(step.value));
    } else pushSteps(step.value, steps);
  }
  return parts.join('');
}

/** Pushes in reverse order: the last entry is written first. */
function pushSteps(container: EncodedContainer, steps: Step[]): void {
  const isArray = Array.isArray(container);
  const entries = isArray ? [...container.entries()] : Object.entries(container).sort(byKey);
  steps.push({ text: isArray ? ']' : '}' });
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const [key, value] = entries[index] ?? [0, null];
    const label = typeof key === 'string' ? `${JSON.stringify(key)}:` : '';
    steps.push({ value }, { text: index > 0 ? `,${label}` : label });
  }
  steps.push({ text: isArray ? '[' : '{' });
}

/** Two keys of one object are never equal. */
function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}
