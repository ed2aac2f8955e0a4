import { type EncodedContainer, type EncodedValue, tagKey } from './encoded-value.ts';

/** Encodes a value that is not an object. */
export function encodeScalar(value: unknown): EncodedValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return isJsonNumber(value) ? value : { [tagKey]: 'number', value: numberText(value) };
    case 'bigint':
      return { [tagKey]: 'bigint', value: bigintText(value) };
    case 'undefined':
      return { [tagKey]: 'undefined' };
    case 'function':
      return describe('function', functionText(value));
    case 'symbol':
      return describe('symbol', value.toString());
    default:
      return null;
  }
}

function isJsonNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Writes decimal digits up to 64 bits, hexadecimal beyond: converting to decimal takes more than linear time. */
function bigintText(value: bigint): string {
  if (BigInt.asIntN(64, value) === value) return value.toString();
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

function functionText(value: object): string {
  try {
    const name: unknown = Reflect.get(value, 'name');
    return typeof name === 'string' && name !== '' ? `function ${name}` : 'function';
  } catch {
    return 'function';
  }
}

/** Describes a value that cannot be kept. Decoding leaves the description as it is. */
export function describe(type: string, text: string): EncodedContainer {
  return { [tagKey]: 'described', type, text };
}

/** Describes why a value could not be read. */
export function describeProblem(error: unknown): EncodedContainer {
  return describe('unreadable', textOfProblem(error));
}

/** Returns the text of a thrown value, which may be anything. */
export function textOfProblem(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'an error without a text';
  }
}
