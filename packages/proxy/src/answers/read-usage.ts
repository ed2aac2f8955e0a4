import { isRecord } from '@ctx/core/encoding';
import { at, numberAt, parsed } from '../json/values.ts';

/** What a provider reported of one request, tokens. */
export interface ReportedUsage {
  /** All of the input, with what a cache answered or took. */
  readonly input: number;
  readonly cached: number;
  /** Whether the provider says what its cache had: some gateways and local servers do not, and then nothing was missed. */
  readonly tellsCache: boolean;
  /** What was written to the cache, if the provider says so. */
  readonly written: number;
  /** What of that was written for an hour; not there if the provider does not tell it apart. */
  readonly hour?: number;
  /** Not there if the provider does not say it. */
  readonly output?: number;
}

/** Reads the usage out of an answer while it passes. */
export interface UsageReader {
  write(chunk: Uint8Array): void;
  /** What was reported; `undefined` if the answer told none. */
  end(): ReportedUsage | undefined;
}

type Numbers = Readonly<Record<string, unknown>>;

/** Where an answer, or an event of one, tells its usage. */
function usageIn(value: unknown): Numbers | undefined {
  const places = [
    at(value, 'usage'),
    at(value, 'message', 'usage'),
    at(value, 'response', 'usage'),
  ];
  return [...places, at(value, 'usageMetadata')].find(isRecord);
}

function anyOf(usage: Numbers, ...paths: readonly (readonly string[])[]): number | undefined {
  for (const path of paths) {
    const found = numberAt(usage, ...path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function reportOf(usage: Numbers): ReportedUsage | undefined {
  const input = anyOf(usage, ['input_tokens'], ['prompt_tokens'], ['promptTokenCount']);
  if (input === undefined) return undefined;
  const own = anyOf(usage, ['cache_read_input_tokens']);
  const written = anyOf(usage, ['cache_creation_input_tokens']) ?? 0;
  const hour = anyOf(usage, ['cache_creation', 'ephemeral_1h_input_tokens']);
  const cached =
    own ??
    anyOf(
      usage,
      ['input_tokens_details', 'cached_tokens'],
      ['prompt_tokens_details', 'cached_tokens'],
      ['cachedContentTokenCount'],
    );
  const output = anyOf(usage, ['output_tokens'], ['completion_tokens'], ['candidatesTokenCount']);
  // Anthropic tells what its cache had and took apart from the rest.
  const apart = (own ?? 0) + written;
  const tellsCache = cached !== undefined;
  const more = {
    ...(hour === undefined ? {} : { hour }),
    ...(output === undefined ? {} : { output }),
  };
  return { input: input + apart, cached: cached ?? 0, tellsCache, written, ...more };
}

/** Longest line or answer that is looked into, characters. */
const maxCharacters = 4_000_000;

/** Makes a reader of an answer of this media type; `onEvent` is told what stands in it. It keeps no more than one line of a stream. */
export function createUsageReader(
  contentType: string | undefined,
  onEvent?: (event: unknown) => void,
): UsageReader {
  const isStream = contentType?.includes('event-stream') === true;
  const decoder = new TextDecoder();
  let rest = '';
  let usage: Numbers = {};
  const take = (text: string): void => {
    const mayTell = text.includes('sage'); // usage, usageMetadata
    if (!mayTell && onEvent === undefined) return;
    const event = parsed(text);
    onEvent?.(event);
    const found = mayTell ? usageIn(event) : undefined;
    const told = Object.entries(found ?? {}).filter(([, value]) => value !== null);
    usage = { ...usage, ...Object.fromEntries(told) };
  };
  const takeLine = (line: string): void => {
    if (line.startsWith('data:')) take(line.slice('data:'.length));
  };
  return {
    write: (chunk) => {
      const text = rest + decoder.decode(chunk, { stream: true });
      const lines = isStream ? text.split('\n') : [text];
      rest = lines.pop() ?? '';
      if (rest.length > maxCharacters) rest = '';
      for (const line of lines) takeLine(line);
    },
    end: () => {
      rest += decoder.decode();
      if (isStream) takeLine(rest);
      else take(rest);
      return reportOf(usage);
    },
  };
}
