import type { TokenCounter } from '@ctx/core';
import { canonicalJson, encodeValue, fingerprintText, isRecord } from '@ctx/core/encoding';
import type { SessionWindow } from '@ctx/truncation';
import type { ClientMessage, Dialect } from '../dialects/dialect.ts';
import { copyOf } from '../json/json-spans.ts';
import { parsed } from '../json/values.ts';
import { memberText, type RequestBody } from './request-body.ts';

type FixedSizes = NonNullable<Parameters<SessionWindow['resize']>[0]['fixed']>;
type RequestParts = NonNullable<Parameters<SessionWindow['request']>[1]>;

/** A request whose conversation is followed. */
export interface ReadRequest {
  readonly messages: readonly ClientMessage[];
  /** Tokens of system prompt and tools. */
  readonly fixedTokens: number;
  /** System prompt and tools apart; the same object where they are the same. */
  readonly fixed?: FixedSizes;
  readonly answerTokens: number | undefined;
  /** Model, system prompt and tools, hashed. */
  readonly parts: RequestParts;
}

type MeasuredFixed = Required<Pick<ReadRequest, 'fixedTokens' | 'fixed' | 'parts'>>;

interface Measured {
  readonly text: string;
  readonly tokens: number;
  readonly print: string;
}

const nothing: Measured = { text: '', tokens: 0, print: '' };

/** What the provider's cache knows of a part: no marks, and no tools that are loaded later. */
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((one) => !(isRecord(one) && one['defer_loading'] === true)).map(lasting);
  }
  if (!isRecord(value)) return value;
  const { cache_control: _mark, ...rest } = value;
  return rest;
}

/** Measures what comes with each request again. Counts what changed and compares the rest. */
export function createFixedMeter(
  countTokens: TokenCounter,
): (body: RequestBody, dialect: Dialect, model: string) => MeasuredFixed {
  let system = nothing;
  let tools = nothing;
  let fixed: FixedSizes = { system: 0, tools: 0 };
  const measure = (text: string, last: Measured): Measured => {
    if (text === last.text) return last;
    const plain = canonicalJson(encodeValue(lasting(parsed(text))));
    const print = fingerprintText(plain).slice(0, 16);
    const tokens = print === last.print ? last.tokens : countTokens(plain);
    return { text: copyOf(text), tokens, print };
  };
  return (body, dialect, model) => {
    const before = tools.print;
    system = measure(memberText(body, dialect.system) ?? '""', system);
    tools = measure(memberText(body, 'tools') ?? '[]', tools);
    if (tools.print !== before || system.tokens !== fixed.system) {
      const definitions = lasting(parsed(tools.text));
      fixed = { system: system.tokens, tools: tools.tokens, definitions };
    }
    return {
      fixedTokens: system.tokens + tools.tokens,
      fixed,
      parts: { model, system: system.print, tools: tools.print },
    };
  };
}

function standsAt(elements: readonly string[], from: number, raw: readonly string[]): boolean {
  return raw.every((text, index) => text === elements[from + index]);
}

/**
 * Reads the elements of a list as messages; those that stand at their place as they stood in `known` are the same objects.
 * Returns `undefined` if one of them is no message. Parses what is new and compares the rest.
 */
export function readMessages(
  dialect: Dialect,
  elements: readonly string[],
  known: readonly ClientMessage[],
): readonly ClientMessage[] | undefined {
  const messages: ClientMessage[] = [];
  for (let from = 0; from < elements.length; ) {
    const length = dialect.lengthOfMessage?.(elements, from) ?? 1;
    const before = known[messages.length];
    const isSame = before?.raw.length === length && standsAt(elements, from, before.raw);
    const message = isSame ? before : dialect.read(elements.slice(from, from + length));
    if (message === undefined) return undefined;
    messages.push(message);
    from += length;
  }
  return messages;
}
