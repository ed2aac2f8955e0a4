/** `structuredClone` copies what is nested deeper: it is slower, and knows cycles and objects that stand in two places. */
const maxDepth = 12;

const copiedByHost = [Date, Map, Set, RegExp, Error, ArrayBuffer];

/** Returns the value itself if it holds what cannot be copied, such as a function. */
function cloned(value: object): object {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

function copyInstance(value: object): object {
  const isCopied = ArrayBuffer.isView(value) || copiedByHost.some((type) => value instanceof type);
  return isCopied ? cloned(value) : value;
}

function copyObject(value: object, depth: number): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return copyInstance(value);
  const copy: Record<string, unknown> = { ...value };
  // Not `Object.keys`, which makes a list for each of thousands of objects.
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === 'object' && member !== null && Object.hasOwn(copy, key)) {
      // An own member `__proto__` stays one.
      if (key === '__proto__') Reflect.defineProperty(copy, key, { value: copyAt(member, depth) });
      else copy[key] = copyAt(member, depth);
    }
  }
  return copy;
}

function copyAt(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return cloned(value);
  if (Array.isArray(value)) return value.map((each) => copyAt(each, depth + 1));
  return copyObject(value, depth + 1);
}

/**
 * Returns a copy of data that shares nothing with it but strings and other immutable values. Instances of classes
 * other than dates, maps, sets, errors and bytes are returned as they are, and so is what holds functions.
 *
 * Costs a visit of each object in it; texts are not copied.
 */
export function copyData<Value>(value: Value): Value {
  return copyAt(value, 0) as Value;
}
