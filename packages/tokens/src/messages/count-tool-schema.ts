import type { TokenCounter } from '../encoding/tiktoken-counter.ts';
import { findModel } from '../models/find-model.ts';
import { framingOf } from '../models/framing.ts';
import type { Provider } from '../models/models.ts';
import { tokenCounterFor } from '../token-counter.ts';
import { jsonText, readProperty, readText } from './json-text.ts';

/** A tool as it is offered to the model. */
export interface ToolSchema {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema?: unknown;
}

/** Options of {@link countToolSchema}. */
export interface ToolSchemaOptions {
  readonly model?: string;
  /** Used for a model that is not known. */
  readonly provider?: Provider;
  /** Counts the texts. Default: {@link tokenCounterFor} the model. */
  readonly counter?: TokenCounter;
}

/** Source: OpenAI cookbook, "How to count tokens with tiktoken", the numbers for GPT-4o. */
const perProperties = 3;
const perProperty = 3;
const perEnum = -3;
const perEnumValue = 3;
/** Deeper schemas count as the JSON they are. */
const maxDepth = 32;

/**
 * Counts a tool's name, description and schema; what comes once per list is `perToolList` of the framing.
 * Pure, never throws. OpenAI renders a schema as a type, here by the published rule; Anthropic's and
 * Google's rendering is not public: the JSON text is counted, an approximation.
 */
export function countToolSchema(tool: ToolSchema, options: ToolSchemaOptions = {}): number {
  const { model } = options;
  const count = options.counter ?? tokenCounterFor(model);
  const provider =
    (model === undefined ? undefined : findModel(model)?.provider) ?? options.provider;
  const { perTool } = framingOf(provider);
  const { name, description = '', inputSchema } = tool;
  if (provider === 'anthropic' || provider === 'google') {
    return perTool + count(jsonText({ name, description, input_schema: inputSchema }));
  }
  return (
    perTool +
    count(`${name}:${withoutFullStop(description)}`) +
    propertiesTokens(inputSchema, count, 0)
  );
}

function propertiesTokens(schema: unknown, count: TokenCounter, depth: number): number {
  const properties = readProperty(schema, 'properties');
  if (typeof properties !== 'object' || properties === null) return 0;
  if (depth >= maxDepth) return count(jsonText(properties));
  const names = Object.keys(properties);
  const own = names.map((name) =>
    propertyTokens(name, readProperty(properties, name), { count, depth }),
  );
  return own.reduce((total, tokens) => total + tokens, names.length > 0 ? perProperties : 0);
}

interface Place {
  readonly count: TokenCounter;
  readonly depth: number;
}

function propertyTokens(name: string, property: unknown, { count, depth }: Place): number {
  const description = withoutFullStop(readText(property, 'description') ?? '');
  const line = count(`${name}:${typeText(property)}:${description}`);
  const inner = [property, readProperty(property, 'items')];
  const nested = inner.map((schema) => propertiesTokens(schema, count, depth + 1));
  return (
    perProperty +
    line +
    enumTokens(property, count) +
    nested.reduce((total, tokens) => total + tokens, 0)
  );
}

function enumTokens(property: unknown, count: TokenCounter): number {
  const values = readProperty(property, 'enum');
  if (!Array.isArray(values)) return 0;
  const texts = values.map((value: unknown) =>
    typeof value === 'string' ? value : jsonText(value),
  );
  return texts.reduce((total, text) => total + perEnumValue + count(text), perEnum);
}

function typeText(property: unknown): string {
  const type = readProperty(property, 'type');
  return typeof type === 'string' ? type : jsonText(type);
}

const withoutFullStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);
