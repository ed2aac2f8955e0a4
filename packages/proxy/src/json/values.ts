import { isRecord } from '@ctx/core/encoding';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value of a member; `undefined` for what is no object. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  const found = at(value, ...names);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, ...names: readonly string[]): number | undefined {
  const found = at(value, ...names);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** Parses a text; `undefined` for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
