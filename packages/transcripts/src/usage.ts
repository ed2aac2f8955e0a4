import type { Usage } from './transcript.ts';
import { countAt, isRecord } from './values.ts';

/** The usage of nothing. */
export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** Adds the usage of two requests. */
export function addUsage(left: Usage, right: Usage): Usage {
  const reasoning = (left.reasoning ?? 0) + (right.reasoning ?? 0);
  const hour = (left.cacheWriteHour ?? 0) + (right.cacheWriteHour ?? 0);
  return {
    input: left.input + right.input,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    ...(hour === 0 ? {} : { cacheWriteHour: hour }),
    output: left.output + right.output,
    ...(left.reasoning === undefined && right.reasoning === undefined ? {} : { reasoning }),
  };
}

/** Reads the usage of an Anthropic response, whose `input_tokens` leave out what was cached. */
export function usageOfAnthropic(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const cacheRead = countAt(value, 'cache_read_input_tokens');
  const cacheWrite = countAt(value, 'cache_creation_input_tokens');
  const input = countAt(value, 'input_tokens') + cacheRead + cacheWrite;
  const creation = value['cache_creation'];
  const hour = isRecord(creation) ? countAt(creation, 'ephemeral_1h_input_tokens') : 0;
  const usage = { input, cacheRead, cacheWrite, output: countAt(value, 'output_tokens') };
  return hour === 0 ? usage : { ...usage, cacheWriteHour: hour };
}

/** Reads the usage of an OpenAI chat completion, whose `prompt_tokens` hold what was cached. */
export function usageOfOpenAi(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const prompt = isRecord(value['prompt_tokens_details']) ? value['prompt_tokens_details'] : {};
  const completion = isRecord(value['completion_tokens_details'])
    ? value['completion_tokens_details']
    : {};
  const reasoning = countAt(completion, 'reasoning_tokens');
  return {
    input: countAt(value, 'prompt_tokens'),
    cacheRead: countAt(prompt, 'cached_tokens'),
    cacheWrite: 0,
    output: countAt(value, 'completion_tokens'),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}

/** Reads the `usage_metadata` of a LangChain message, whose `input_tokens` hold what was cached. */
export function usageOfLangChain(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const sent = isRecord(value['input_token_details']) ? value['input_token_details'] : {};
  const made = isRecord(value['output_token_details']) ? value['output_token_details'] : {};
  const reasoning = countAt(made, 'reasoning');
  return {
    input: countAt(value, 'input_tokens'),
    cacheRead: countAt(sent, 'cache_read'),
    cacheWrite: countAt(sent, 'cache_creation'),
    output: countAt(value, 'output_tokens'),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}
