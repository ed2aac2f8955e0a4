import { fromBase64 } from './base64.ts';
import { type EncodedContainer, type EncodedValue, setOwn, tagKey } from './encoded-value.ts';

/** Decodes the children and puts them into the value that was begun. */
export type Fill = (decode: (child: unknown) => unknown) => void;

/** A value without its children yet; `fill` is missing if it has none. */
export interface Decoded {
  readonly value: unknown;
  readonly fill?: Fill;
}

type Tagged = Readonly<Record<string, EncodedValue>>;

/** Longest array with holes that is rebuilt: the limit of the language. */
const maxArrayLength = 2 ** 32 - 1;

/** Returns whether `value` is an array or an object without a class. */
export function isPlainContainer(value: unknown): value is EncodedContainer {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Begins the value of a tagged object. Returns `undefined` if the tag is missing, unknown or malformed. */
export function decodeTagged(encoded: EncodedContainer): Decoded | undefined {
  if (Array.isArray(encoded) || !Object.hasOwn(encoded, tagKey)) return undefined;
  const tag = encoded[tagKey];
  return typeof tag === 'string' ? decoders.get(tag)?.(encoded) : undefined;
}

const numbers: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
]);

function decodeNumber(encoded: Tagged): Decoded | undefined {
  const value = numbers.get(encoded['value']);
  return value === undefined ? undefined : { value };
}

function decodeBigint(encoded: Tagged): Decoded | undefined {
  const text = encoded['value'];
  if (typeof text !== 'string' || text.length === 0) return undefined;
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.slice(1) : text;
  // The encoder never writes more decimal digits than 64 bits need; longer ones are slow to parse.
  if (!/^\d{1,20}$/.test(digits) && !digits.startsWith('0x')) return undefined;
  return attempt(() => (isNegative ? -BigInt(digits) : BigInt(digits)));
}

function decodeDate(encoded: Tagged): Decoded | undefined {
  const text = encoded['value'];
  if (text === null) return { value: new Date(Number.NaN) };
  if (typeof text !== 'string') return undefined;
  const value = new Date(text);
  return Number.isNaN(value.getTime()) ? undefined : { value };
}

function decodeMap(encoded: Tagged): Decoded | undefined {
  const entries = encoded['entries'];
  if (!Array.isArray(entries)) return undefined;
  const value = new Map<unknown, unknown>();
  const pairs: EncodedValue[][] = [];
  for (const entry of entries) {
    if (!Array.isArray(entry) || entry.length !== 2) return undefined;
    pairs.push(entry);
  }
  return {
    value,
    fill: (decode) => {
      for (const [key, child] of pairs) value.set(decode(key), decode(child));
    },
  };
}

function decodeSet(encoded: Tagged): Decoded | undefined {
  const values = encoded['values'];
  if (!Array.isArray(values)) return undefined;
  const value = new Set<unknown>();
  return {
    value,
    fill: (decode) => {
      for (const child of values) value.add(decode(child));
    },
  };
}

function decodeEscaped(encoded: Tagged): Decoded | undefined {
  const inner = encoded['value'];
  if (!isPlainObject(inner)) return undefined;
  const value = {};
  return {
    value,
    fill: (decode) => {
      for (const [key, child] of Object.entries(inner)) setOwn(value, key, decode(child));
    },
  };
}

function decodeHoles(encoded: Tagged): Decoded | undefined {
  const { length, own } = encoded;
  if (typeof length !== 'number' || !Number.isInteger(length) || !isPlainObject(own))
    return undefined;
  if (length < 0 || length > maxArrayLength) return undefined;
  const value: unknown[] = [];
  value.length = length;
  return {
    value,
    fill: (decode) => {
      fillOwn(value, own, decode);
    },
  };
}

function isPlainObject(value: EncodedValue | undefined): value is Record<string, EncodedValue> {
  return isPlainContainer(value) && !Array.isArray(value);
}

/** Sets the properties of `own`, which may be wrapped to keep a `$ctx` key from being read as a tag. */
function fillOwn(value: object, own: Tagged, decode: (child: unknown) => unknown): void {
  const wrapped = own[tagKey] === 'object' ? own['value'] : undefined;
  for (const [key, child] of Object.entries(isPlainObject(wrapped) ? wrapped : own)) {
    if (key !== 'length' || !Array.isArray(value)) setOwn(value, key, decode(child));
  }
}

const errorKinds: ReadonlyMap<unknown, new (message?: string) => Error> = new Map(
  [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((kind) => [
    kind.name,
    kind,
  ]),
);

function decodeError(encoded: Tagged): Decoded | undefined {
  const { name, own } = encoded;
  if (own !== undefined && !isPlainObject(own)) return undefined;
  const value = new (errorKinds.get(name) ?? Error)();
  return {
    value,
    fill: (decode) => {
      if (own) fillOwn(value, own, decode);
      for (const key of ['message', 'stack', 'cause']) {
        if (key in encoded) setHidden(value, key, decode(encoded[key]));
      }
      if (name !== value.name) setHidden(value, 'name', decode(name));
    },
  };
}

/** Sets a property the way errors carry theirs: not enumerable. */
function setHidden(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, configurable: true });
}

/** Typed arrays by name. */
const viewKinds: Readonly<Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>> = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
};

function decodeBytes(encoded: Tagged): Decoded | undefined {
  const { type, base64 } = encoded;
  if (typeof type !== 'string' || typeof base64 !== 'string') return undefined;
  const bytes = fromBase64(base64);
  if (!bytes) return undefined;
  const buffer = new ArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  if (type === 'ArrayBuffer') return { value: buffer };
  if (type === 'Buffer') return { value: bufferOf(buffer) };
  const kind = Object.hasOwn(viewKinds, type) ? viewKinds[type] : undefined;
  return kind && attempt(() => new kind(buffer));
}

/** Returns a Buffer if the host has one, otherwise the Uint8Array that a Buffer is. */
function bufferOf(buffer: ArrayBuffer): Uint8Array {
  const host: { Buffer?: { from(buffer: ArrayBuffer): Uint8Array } } = globalThis;
  return host.Buffer ? host.Buffer.from(buffer) : new Uint8Array(buffer);
}

function decodeRegExp(encoded: Tagged): Decoded | undefined {
  const { source, flags } = encoded;
  if (typeof source !== 'string' || typeof flags !== 'string') return undefined;
  return attempt(() => new RegExp(source, flags));
}

function decodeUrl(encoded: Tagged): Decoded | undefined {
  const href = encoded['href'];
  return typeof href === 'string' ? attempt(() => new URL(href)) : undefined;
}

function attempt(build: () => unknown): Decoded | undefined {
  try {
    return { value: build() };
  } catch {
    return undefined;
  }
}

const decoders: ReadonlyMap<string, (encoded: Tagged) => Decoded | undefined> = new Map<
  string,
  (encoded: Tagged) => Decoded | undefined
>([
  ['undefined', () => ({ value: undefined })],
  ['number', decodeNumber],
  ['bigint', decodeBigint],
  ['date', decodeDate],
  ['map', decodeMap],
  ['set', decodeSet],
  ['object', decodeEscaped],
  ['array', decodeHoles],
  ['error', decodeError],
  ['bytes', decodeBytes],
  ['regexp', decodeRegExp],
  ['url', decodeUrl],
]);
