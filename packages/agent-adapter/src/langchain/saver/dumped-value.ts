import type { Redactor } from '@ctx/redact';
import type { SerializerShape } from './host-types.ts';

/** A value as a serializer made it: text where its bytes are UTF-8. */
export interface DumpedValue {
  readonly type: string;
  readonly content: string | Uint8Array;
}

/** What dumping needs. */
export interface Dumper {
  readonly serde: SerializerShape;
  /** Takes secrets out of what is JSON. Encrypted values hold none. */
  readonly redactor: Redactor;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function redacted(redactor: Redactor, text: string): string {
  if (redactor.redact('').receipt.mode !== 'on') return text;
  const { value, receipt } = redactor.redact<unknown>(JSON.parse(text));
  return receipt.total === 0 ? text : JSON.stringify(value);
}

/** Serialises a value for storage. */
export async function dumpValue({ serde, redactor }: Dumper, value: unknown): Promise<DumpedValue> {
  const [type, bytes] = await serde.dumpsTyped(value);
  const text = textOf(bytes);
  if (text === undefined) return { type, content: Uint8Array.from(bytes) };
  return { type, content: type === 'json' ? redacted(redactor, text) : text };
}

/** Reads what was dumped. */
export async function loadValue(
  serde: SerializerShape,
  { type, content }: DumpedValue,
): Promise<unknown> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return serde.loadsTyped(type, bytes);
}
