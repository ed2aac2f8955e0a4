import type { Extra } from '@ctx/core';
import { fieldOf, isList, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';

/** What a LangChain message is, whatever it was serialised as. */
export type LangChainKind = 'human' | 'ai' | 'system' | 'tool' | 'chat' | 'other';

/** A message out of its envelope. */
export interface OpenRecord {
  readonly kind: LangChainKind;
  readonly body: JsonRecord;
  /** The envelope, for the way back. */
  readonly envelope: Envelope;
}

/** How a message was serialised. */
export interface Envelope {
  /** constructor: `{lc, type, id, kwargs}`; stored: `{type, data}`; plain: `{type, content}`. */
  readonly shape: 'constructor' | 'stored' | 'plain';
  /** The name of the class, or the type. */
  readonly name: string;
  readonly fields?: JsonRecord;
}

const kinds: ReadonlyMap<string, LangChainKind> = new Map([
  ['human', 'human'],
  ['HumanMessage', 'human'],
  ['ai', 'ai'],
  ['AIMessage', 'ai'],
  ['system', 'system'],
  ['SystemMessage', 'system'],
  ['tool', 'tool'],
  ['ToolMessage', 'tool'],
  ['chat', 'chat'],
  ['generic', 'chat'],
  ['ChatMessage', 'chat'],
  ['function', 'other'],
  ['FunctionMessage', 'other'],
]);

function kindOf(name: string): LangChainKind | undefined {
  const whole = name.endsWith('MessageChunk') ? name.slice(0, -'Chunk'.length) : name;
  return kinds.get(whole);
}

/** Opens the envelope of a serialised message; `undefined` where the value is none. */
export function openRecord(value: unknown): OpenRecord | undefined {
  if (!isRecord(value)) return undefined;
  const type = textAt(value, 'type') ?? '';
  if (type === 'constructor') return openConstructor(value);
  const kind = kindOf(type);
  const data = fieldOf(value, 'data');
  if (kind === undefined) return undefined;
  if (isRecord(data)) {
    return {
      kind,
      body: data,
      envelope: envelopeOf('stored', type, withoutKeys(value, ['type', 'data'])),
    };
  }
  if (!Object.hasOwn(value, 'content')) return undefined;
  const body = withoutKeys(value, ['type']) ?? {};
  return { kind, body, envelope: envelopeOf('plain', type) };
}

function openConstructor(value: JsonRecord): OpenRecord | undefined {
  const { id, kwargs } = value;
  const last = isList(id) ? id.at(-1) : undefined;
  const name = typeof last === 'string' ? last : '';
  const kind = kindOf(name);
  if (kind === undefined || !isRecord(kwargs)) return undefined;
  const fields = withoutKeys(value, ['type', 'kwargs']);
  return { kind, body: kwargs, envelope: envelopeOf('constructor', name, fields) };
}

function envelopeOf(shape: Envelope['shape'], name: string, fields?: JsonRecord): Envelope {
  return { shape, name, ...(fields === undefined ? {} : { fields }) };
}

/** Puts a body into its envelope. */
export function closeRecord(body: JsonRecord, { shape, name, fields }: Envelope): JsonRecord {
  if (shape === 'constructor') return { type: 'constructor', ...fields, kwargs: body };
  return shape === 'stored' ? { type: name, ...fields, data: body } : { type: name, ...body };
}

const classNames = {
  human: 'HumanMessage',
  ai: 'AIMessage',
  system: 'SystemMessage',
  tool: 'ToolMessage',
};

/** An envelope for a message from elsewhere. */
export function freshEnvelope(
  kind: 'human' | 'ai' | 'system' | 'tool',
  shape: Envelope['shape'],
): Envelope {
  if (shape !== 'constructor') return { shape, name: kind };
  const name = classNames[kind];
  return { shape, name, fields: { lc: 1, id: ['langchain_core', 'messages', name] } };
}

/** The envelope that was kept of a message. */
export function keptEnvelope(extra: Extra | undefined): Envelope | undefined {
  const kept = extra?.['envelope'];
  if (!isRecord(kept)) return undefined;
  const { shape, name, fields } = kept;
  const isShape = shape === 'constructor' || shape === 'stored' || shape === 'plain';
  if (!isShape || typeof name !== 'string') return undefined;
  return envelopeOf(shape, name, isRecord(fields) ? fields : undefined);
}
