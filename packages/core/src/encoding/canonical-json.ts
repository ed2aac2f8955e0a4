import { encodeValue } from './encode-value.ts';
import { type EncodedValue, isContainer } from './encoded-value.ts';

/**
 * Returns the canonical JSON text of a value: no white space, keys sorted by UTF-16 code unit at every level.
 *
 * Equal values return equal texts whatever the order of their keys; different values return different texts. Values that
 * JSON cannot express are encoded by `encodeValue` first. Lone surrogates are escaped. Depth uses no stack.
 */
export function canonicalJson(value: unknown): string {
  return canonicalJsonOfEncoded(encodeValue(value));
}

/** A container that is being written. */
interface Open {
  readonly values: Readonly<Record<string | number, EncodedValue>>;
  /** Those of an object, sorted. */
  readonly keys: readonly string[] | undefined;
  /** How many values are written. */
  done: number;
}

/** Does the same for a value that is already encoded: tags stay tags. */
export function canonicalJsonOfEncoded(root: EncodedValue): string {
  const open: Open[] = [];
  let text = '';
  const write = (value: EncodedValue): void => {
    if (!isContainer(value)) {
      text += JSON.stringify(value);
      return;
    }
    const keys = Array.isArray(value) ? undefined : Object.keys(value).sort();
    open.push({ values: value as Open['values'], keys, done: 0 });
    text += keys ? '{' : '[';
  };
  write(root);
  for (let one = open.at(-1); one; one = open.at(-1)) {
    const { values, keys, done } = one;
    const key = keys ? keys[done] : done;
    const value = values[key ?? done];
    if (key === undefined || value === undefined) {
      open.pop();
      text += keys ? '}' : ']';
    } else {
      if (done > 0) text += ',';
      if (keys) text += `${JSON.stringify(key)}:`;
      one.done += 1;
      write(value);
    }
  }
  return text;
}
