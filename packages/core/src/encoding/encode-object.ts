import { toBase64 } from './base64.ts';
import { describeProblem, encodeScalar, textOfProblem } from './encode-scalar.ts';
import { type EncodedContainer, type EncodedValue, setOwn, tagKey } from './encoded-value.ts';

/** A container that was begun: `outer` represents the source, `children` are still to be encoded into `inner`. */
export interface Shell {
  readonly outer: EncodedValue;
  readonly inner: EncodedContainer;
  readonly children: readonly (readonly [string, unknown])[];
}

/**
 * Begins the encoded form of an object: reads its children but does not descend.
 * @throws whatever a proxy or getter of the source throws; the caller then describes the object
 */
export function beginObject(source: object, maxChildren: number): Shell {
  if (Array.isArray(source)) return beginArray(source, maxChildren);
  const prototype: unknown = Object.getPrototypeOf(source);
  if (prototype === Object.prototype || prototype === null) return beginPlain(source);
  for (const begin of beginners) {
    const shell = begin(source);
    if (shell) return shell;
  }
  return beginInstance(source);
}

function tagged(tag: string, fields: Record<string, EncodedValue>): EncodedContainer {
  return { [tagKey]: tag, ...fields };
}

function leaf(tag: string, fields: Record<string, EncodedValue>): Shell {
  const outer = tagged(tag, fields);
  return { outer, inner: outer, children: [] };
}

function beginTagged(
  tag: string,
  fields: Record<string, EncodedValue>,
  children: Shell['children'],
): Shell {
  const outer = tagged(tag, fields);
  return { outer, inner: outer, children };
}

function beginPlain(source: object): Shell {
  const children = readOwn(source, []);
  const inner: EncodedContainer = {};
  const marker = children.find(([key]) => key === tagKey);
  if (!marker || marker[1] === 'described') return { outer: inner, inner, children };
  return { outer: tagged('object', { value: inner }), inner, children };
}

function beginArray(source: readonly unknown[], maxChildren: number): Shell {
  const length = source.length;
  const children: [string, unknown][] = [];
  for (let index = 0; index < length && index < maxChildren; index += 1) {
    if (!Object.hasOwn(source, index)) break;
    children.push([String(index), readProperty(source, String(index))]);
  }
  const inner: EncodedContainer = [];
  if (children.length === maxChildren) return { outer: inner, inner, children };
  if (children.length === length && Object.keys(source).length === length) {
    return { outer: inner, inner, children };
  }
  return beginTagged('array', { length }, [['own', snapshot(source, [])]]);
}

function beginInstance(source: object): Shell {
  const fields = { type: 'instance', class: classNameOf(source) };
  const toJson: unknown = readMember(source, 'toJSON');
  if (typeof toJson === 'function') {
    try {
      return beginTagged('described', fields, [['value', Reflect.apply(toJson, source, [])]]);
    } catch (error) {
      const problem = textOfProblem(error);
      return beginTagged('described', { ...fields, problem }, [['value', snapshot(source, [])]]);
    }
  }
  return beginTagged('described', fields, [['value', snapshot(source, [])]]);
}

function classNameOf(source: object): string {
  const constructor: unknown = readMember(source, 'constructor');
  const name: unknown = typeof constructor === 'function' ? readMember(constructor, 'name') : '';
  return typeof name === 'string' ? name : '';
}

/** Reads an own or inherited member; returns `undefined` if reading throws. */
function readMember(source: object, key: string): unknown {
  try {
    return Reflect.get(source, key);
  } catch {
    return undefined;
  }
}

function readProperty(source: object, key: string): unknown {
  try {
    return Reflect.get(source, key);
  } catch (error) {
    return new Unreadable(error);
  }
}

function readOwn(source: object, without: readonly string[]): [string, unknown][] {
  const keys = Object.keys(source).filter((key) => !without.includes(key));
  return keys.map((key) => [key, readProperty(source, key)]);
}

function snapshot(source: object, without: readonly string[]): object {
  const copy = {};
  for (const [key, value] of readOwn(source, without)) setOwn(copy, key, value);
  return copy;
}

/** Represents a property whose getter threw, until it is encoded. */
class Unreadable {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Returns the result of `read`, or `undefined` if `source` is not of the type that `read` needs. */
function ifOfKind<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Forms without a tagged container: boxed primitives, and errors thrown by getters. */
function beginPlainForm(source: object): Shell | undefined {
  const form = plainFormOf(source);
  return form === undefined ? undefined : { outer: form, inner: {}, children: [] };
}

function plainFormOf(source: object): EncodedValue | undefined {
  if (source instanceof Unreadable) return describeProblem(source.error);
  if (source instanceof Number) return encodeScalar(Number.prototype.valueOf.call(source));
  if (source instanceof String) return String.prototype.valueOf.call(source);
  if (source instanceof Boolean) return Boolean.prototype.valueOf.call(source);
  return source instanceof BigInt ? encodeScalar(BigInt.prototype.valueOf.call(source)) : undefined;
}

function beginError(source: object): Shell | undefined {
  const isError =
    source instanceof Error || Object.prototype.toString.call(source) === '[object Error]';
  if (!isError) return undefined;
  const parts = ['name', 'message', 'stack'];
  const children: [string, unknown][] = parts.map((key) => [key, readProperty(source, key)]);
  if (Object.hasOwn(source, 'cause')) children.push(['cause', readProperty(source, 'cause')]);
  const own = snapshot(source, [...parts, 'cause']);
  if (Object.hasOwn(source, 'errors')) setOwn(own, 'errors', readProperty(source, 'errors'));
  if (Object.keys(own).length > 0) children.push(['own', own]);
  return beginTagged('error', {}, children);
}

function beginDate(source: object): Shell | undefined {
  const time = ifOfKind(() => Date.prototype.getTime.call(source));
  if (time === undefined) return undefined;
  return leaf('date', { value: Number.isNaN(time) ? null : new Date(time).toISOString() });
}

function beginMap(source: object): Shell | undefined {
  const entries = ifOfKind((): unknown[] => [...Map.prototype.entries.call(source)]);
  return entries && beginTagged('map', {}, [['entries', entries]]);
}

function beginSet(source: object): Shell | undefined {
  const values = ifOfKind((): unknown[] => [...Set.prototype.values.call(source)]);
  return values && beginTagged('set', {}, [['values', values]]);
}

function beginBytes(source: object): Shell | undefined {
  if (ArrayBuffer.isView(source)) {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    return leaf('bytes', { type: viewTypeOf(source), base64: toBase64(bytes) });
  }
  if (!(source instanceof ArrayBuffer)) return undefined;
  return leaf('bytes', { type: 'ArrayBuffer', base64: toBase64(new Uint8Array(source)) });
}

function viewTypeOf(source: ArrayBufferView): string {
  const name = Object.prototype.toString.call(source).slice('[object '.length, -1);
  return name === 'Uint8Array' && classNameOf(source) === 'Buffer' ? 'Buffer' : name;
}

function beginRegExp(source: object): Shell | undefined {
  if (!(source instanceof RegExp)) return undefined;
  return leaf('regexp', { source: source.source, flags: source.flags });
}

function beginUrl(source: object): Shell | undefined {
  return source instanceof URL ? leaf('url', { href: source.href }) : undefined;
}

/** The types with a form of their own, tried in this order. */
const beginners: readonly ((source: object) => Shell | undefined)[] = [
  beginPlainForm,
  beginError,
  beginDate,
  beginMap,
  beginSet,
  beginBytes,
  beginRegExp,
  beginUrl,
];
