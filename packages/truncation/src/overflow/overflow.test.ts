import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { overflowOf } from './overflow.ts';

/** An error as SDKs throw it: a message, a status, the body. */
function sdkError(message: string, members: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(message), members);
}

const longAnthropic = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: 'prompt is too long: 208310 tokens > 200000 maximum',
  },
  request_id: 'req_1',
};

/** Error, size, limit; as they were reported by people, see the table of patterns. */
const shapes: readonly [string, unknown, number | undefined, number | undefined][] = [
  [
    'Anthropic, SDK error',
    sdkError(`400 ${JSON.stringify(longAnthropic)}`, { status: 400, error: longAnthropic }),
    208_310,
    200_000,
  ],
  ['Anthropic, body', longAnthropic, 208_310, 200_000],
  [
    'Anthropic, with the answer',
    sdkError(
      'input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648, decrease input length or `max_tokens` and try again',
      { status: 400 },
    ),
    189_136,
    184_648,
  ],
  [
    'Anthropic, 413',
    sdkError('413', {
      status: 413,
      error: {
        type: 'error',
        error: {
          type: 'request_too_large',
          message: 'Request exceeds the maximum allowed number of bytes.',
        },
      },
    }),
    undefined,
    undefined,
  ],
  [
    'Vertex Claude, no numbers',
    sdkError('Prompt is too long', { status: 400 }),
    undefined,
    undefined,
  ],
  [
    'OpenAI chat',
    sdkError(
      "400 This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
      {
        status: 400,
        code: 'context_length_exceeded',
        type: 'invalid_request_error',
        param: 'messages',
      },
    ),
    204_308,
    128_000,
  ],
  [
    'OpenAI chat, with functions and answer',
    sdkError(
      "This model's maximum context length is 8192 tokens. However, you requested 8213 tokens (6683 in the messages, 730 in the functions, and 800 in the completion). Please reduce the length of the messages, functions, or completion.",
      { status: 400 },
    ),
    7413,
    7392,
  ],
  [
    'OpenAI Responses, stream event',
    {
      type: 'error',
      sequence_number: 2,
      error: {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message:
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
        param: 'input',
      },
    },
    undefined,
    undefined,
  ],
  [
    'OpenAI, configured limit',
    sdkError(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300143 tokens. Please reduce the length of the messages.',
      { status: 400 },
    ),
    300_143,
    272_000,
  ],
  [
    'Azure',
    {
      error: {
        message:
          "This model's maximum context length is 16385 tokens, however you requested 18108 tokens (17084 in your prompt; 1024 for the completion). Please reduce your prompt; or completion length.",
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    },
    17_084,
    15_361,
  ],
  [
    'Gemini',
    {
      error: {
        code: 400,
        message:
          'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
    1_200_293,
    1_048_576,
  ],
  [
    'Gemini, body in a text in a body',
    sdkError(
      '{"error":{"message":"{\\n \\"error\\": {\\n \\"code\\": 400,\\n \\"message\\": \\"The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).\\" }\\n}\\n","code":400,"status":"Bad Request"}}',
    ),
    3_475_108,
    1_048_576,
  ],
  [
    'Vertex',
    sdkError(
      'Unable to submit request because the input token count is 1243000 but model only supports up to 1048576. Reduce the input token count and try again.',
      { status: 400 },
    ),
    1_243_000,
    1_048_576,
  ],
  [
    'Bedrock',
    Object.assign(new Error('Input is too long for requested model.'), {
      name: 'ValidationException',
      $fault: 'client',
      $metadata: { httpStatusCode: 400, attempts: 1 },
    }),
    undefined,
    undefined,
  ],
  [
    'Bedrock Claude',
    sdkError(
      'The model returned the following errors: prompt is too long: 227255 tokens > 200000 maximum',
      { name: 'ValidationException' },
    ),
    227_255,
    200_000,
  ],
  [
    'Bedrock Titan',
    sdkError(
      '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 11534',
    ),
    11_534,
    8192,
  ],
  [
    'Mistral',
    sdkError(
      'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      { statusCode: 400 },
    ),
    65_673,
    32_768,
  ],
  [
    'Groq',
    sdkError('400', {
      status: 400,
      error: {
        error: {
          message: 'Please reduce the length of the messages or completion.',
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      },
    }),
    undefined,
    undefined,
  ],
  [
    'DeepSeek',
    sdkError(
      "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
      { status: 400, code: 'invalid_request_error' },
    ),
    122_942,
    122_880,
  ],
  [
    'OpenRouter',
    sdkError(
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one",
      { status: 400 },
    ),
    42_832,
    32_768,
  ],
  [
    'OpenRouter, raw answer of the provider',
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: JSON.stringify(longAnthropic), provider_name: 'Anthropic' },
      },
    },
    208_310,
    200_000,
  ],
  [
    'vLLM',
    {
      object: 'error',
      message:
        'The decoder prompt (length 10127) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens',
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    10_127,
    8192,
  ],
  [
    'vLLM, newer',
    sdkError(
      "'max_tokens' is too large: 10000. This model's maximum context length is 16384 tokens and your request has 112946 input tokens",
      { status: 400 },
    ),
    112_946,
    6384,
  ],
  [
    'vLLM, total',
    sdkError(
      'The prompt (total length 25938) is too long to fit into the model (context length 4096).',
    ),
    25_938,
    4096,
  ],
  [
    'SGLang',
    sdkError("The input (9023 tokens) is longer than the model's context length (8192 tokens).", {
      status: 400,
    }),
    9023,
    8192,
  ],
  [
    'llama.cpp, 400',
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9018,
        n_ctx: 8192,
      },
    },
    9018,
    8192,
  ],
  [
    'llama.cpp, 500',
    sdkError('Context size has been exceeded.', { status: 500 }),
    undefined,
    undefined,
  ],
  ['Ollama', { error: 'the input length exceeds the context length' }, undefined, undefined],
  [
    'LM Studio',
    'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.',
    111_490,
    32_768,
  ],
  [
    'xAI',
    sdkError(
      '400 "This model\'s maximum prompt length is 131072 but the request contains 136973 tokens."',
      { status: 400 },
    ),
    136_973,
    131_072,
  ],
  [
    'Cohere',
    sdkError(
      'too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.',
      { statusCode: 400 },
    ),
    6354,
    2048,
  ],
  [
    'Cohere, newer',
    sdkError(
      'too many tokens: size limit exceeded by 9207 tokens. Try using shorter or fewer inputs. The limit for this model is 128000 tokens.',
    ),
    undefined,
    128_000,
  ],
  [
    'Text Generation Inference',
    sdkError(
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`',
      { status: 422 },
    ),
    3474,
    2048,
  ],
  [
    'Cerebras',
    sdkError(
      'Please reduce the length of the messages or completion. Current length is 40203 while limit is 32768',
      { status: 400 },
    ),
    40_203,
    32_768,
  ],
  [
    'Moonshot',
    sdkError(
      'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
      { status: 400 },
    ),
    291_351,
    262_144,
  ],
  [
    'GitHub Copilot',
    sdkError('prompt token count of 130,743 exceeds the limit of 128,000', { status: 400 }),
    130_743,
    128_000,
  ],
  [
    'AI SDK, with the body as text',
    sdkError('Bad Request', {
      name: 'AI_APICallError',
      statusCode: 400,
      responseBody: JSON.stringify(longAnthropic),
      requestBodyValues: { messages: ['tokens per minute'] },
    }),
    208_310,
    200_000,
  ],
  [
    'LangChain, the error as its cause',
    sdkError('failed', { cause: sdkError('wrapped', { cause: { error: longAnthropic } }) }),
    208_310,
    200_000,
  ],
  [
    'vLLM, prompt and answer apart',
    sdkError(
      "400 This model's maximum context length is 262144 tokens. However, you requested 4096 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 266241 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=262145)",
      { status: 400 },
    ),
    262_145,
    258_048,
  ],
  [
    'vLLM, no answer asked for',
    sdkError(
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.",
      { status: 400 },
    ),
    262_145,
    262_144,
  ],
  [
    'Poolside by OpenRouter',
    sdkError('Input length 131393 exceeds the maximum allowed input length of 131040 tokens.'),
    131_393,
    131_040,
  ],
  [
    'a compatible server, in parentheses',
    sdkError("400 Input length (265330) exceeds model's maximum context length (262144)."),
    265_330,
    262_144,
  ],
  [
    'a compatible server',
    sdkError("The prompt exceeds the model's maximum context length of 32,768 tokens.", {
      status: 400,
    }),
    undefined,
    32_768,
  ],
  [
    'Cohere, as documented',
    sdkError(
      'Too many tokens: the total number of tokens in the prompt exceeds the limit of 4081.',
    ),
    undefined,
    4081,
  ],
  [
    'Perplexity',
    sdkError('The total length of all messages is too long.', { status: 400 }),
    undefined,
    undefined,
  ],
  [
    'OpenAI, one text of more than ten million characters',
    sdkError(
      "Invalid 'messages[3].content': string too long. Expected a string with maximum length 10485760, but got a string with length 11000000 instead.",
      { status: 400, code: 'string_above_max_length' },
    ),
    undefined,
    undefined,
  ],
  [
    'a server without numbers behind an arrow',
    sdkError('POST /v1/messages -> 400: Prompt is too long + 2 warnings'),
    undefined,
    undefined,
  ],
  ['a proxy, 413 and nothing else', sdkError('Payload', { status: 413 }), undefined, undefined],
  ['nginx, 413', '<html><h1>413 Request Entity Too Large</h1></html>', undefined, undefined],
];

/** What other errors say; a shorter request helps none of them. */
const others: readonly [string, unknown][] = [
  [
    'a rate limit',
    sdkError('429 rate_limit_error', {
      status: 429,
      error: {
        type: 'rate_limit_error',
        message: 'This request would exceed the rate limit of 40,000 input tokens per minute',
      },
    }),
  ],
  [
    'Groq, tokens per minute, as 413',
    sdkError(
      'Request too large for model `llama-3.3-70b-versatile` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.',
      { status: 413, code: 'rate_limit_exceeded' },
    ),
  ],
  [
    'OpenAI, request too large for its rate',
    sdkError(
      'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 35000.',
      { status: 429, code: 'rate_limit_exceeded' },
    ),
  ],
  [
    'Bedrock, throttled',
    Object.assign(new Error('Too many tokens, please wait before trying again.'), {
      name: 'ThrottlingException',
      $metadata: { httpStatusCode: 429 },
    }),
  ],
  [
    'too many tokens asked for in the answer',
    sdkError('max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens', {
      status: 400,
    }),
  ],
  [
    'OpenAI, answer too long',
    sdkError(
      'max_tokens is too large: 100000. This model supports at most 16384 completion tokens',
      { status: 400 },
    ),
  ],
  [
    'OpenAI, the id of a call that is too long',
    sdkError(
      "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string with length 116 instead.",
      { status: 400, code: 'string_above_max_length' },
    ),
  ],
  [
    'vLLM, an answer as long as the window',
    sdkError(
      "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion). Please reduce the length of the messages or completion.",
      { status: 400 },
    ),
  ],
  [
    'vLLM, an answer that leaves no room',
    sdkError(
      "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 1500 input tokens (32000 > 32768 - 1500).",
      { status: 400 },
    ),
  ],
  [
    'Anthropic, an answer as long as the window',
    sdkError(
      'input length and `max_tokens` exceed context limit: 5000 + 200000 > 204648, decrease input length or `max_tokens` and try again',
      { status: 400 },
    ),
  ],
  [
    'tokens a minute, without a status',
    'Request too large for gpt-4o on tokens per min (TPM): payload too large: Limit 30000, Requested 35000.',
  ],
  ['an invalid key', sdkError('OpenRouter API Error 400: Invalid API key', { status: 400 })],
  ['no credit', sdkError('Your credit balance is too low', { status: 400 })],
  ['no permission', sdkError('prompt is too long: not for you', { status: 403 })],
  [
    'roles',
    sdkError('messages: roles must alternate between "user" and "assistant"', { status: 400 }),
  ],
  [
    'a missing result',
    sdkError(
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after',
      { status: 400 },
    ),
  ],
  ['overloaded', sdkError('Overloaded', { status: 529 })],
  ['a server error', sdkError('Internal Server Error', { status: 500 })],
  ['an aborted request', new DOMException('This operation was aborted', 'AbortError')],
  [
    'an image',
    sdkError('image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes', { status: 400 }),
  ],
  ['a quota', sdkError('You exceeded your current quota, please check your plan', { status: 429 })],
  ['nothing', undefined],
  ['null', null],
  ['a number', 413],
  ['a text', 'hello'],
];

describe('an error that says the request was too long', () => {
  it.each(shapes)('is known from %s', (_name, error, reportedTokens, limitTokens) => {
    const overflow = overflowOf(error);
    expect(overflow).toBeDefined();
    expect(overflow?.reportedTokens).toBe(reportedTokens);
    expect(overflow?.limitTokens).toBe(limitTokens);
  });

  it.each(others)('is not %s', (_name, error) => {
    expect(overflowOf(error)).toBeUndefined();
  });

  it('is read without running anything, and from values that hurt', () => {
    const cycle: Record<string, unknown> = { message: 'x' };
    cycle['error'] = cycle;
    const getter = {
      get message(): string {
        throw new Error('never asked');
      },
    };
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('never asked');
        },
      },
    );
    for (const error of [cycle, getter, proxy, { error: proxy }]) {
      expect(overflowOf(error)).toBeUndefined();
    }
  });

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (error) => {
        overflowOf(error);
        overflowOf({ error, message: 'prompt is too long:' });
      }),
    );
  });

  it('is found at the beginning of what is very long, and costs no more for it', () => {
    const long = `prompt is too long: 5 tokens > 4 maximum ${'9'.repeat(5_000_000)}`;
    expect(overflowOf(long)).toMatchObject({ reportedTokens: 5, limitTokens: 4 });
    expect(overflowOf('>'.repeat(5_000_000))).toBeUndefined();
  });
});

const shared = join(process.env['CTX_SHARED_CASES'] ?? '../shared/cases', 'window.json');
const caseSchema = z.object({
  cases: z.array(
    z.looseObject({
      id: z.string(),
      fn: z.string(),
      error: z.looseObject({ $error: z.string(), status: z.number().optional() }).optional(),
      expect: z.unknown(),
    }),
  ),
});
const cases = existsSync(shared)
  ? caseSchema
      .parse(JSON.parse(readFileSync(shared, 'utf8')))
      .cases.filter(({ fn }) => fn === 'contextError')
  : [];

/** Set CTX_SHARED_CASES to the folder of window.json to run these; without it there is nothing to compare with. */
describe.skipIf(cases.length === 0)('the shared cases of context errors', () => {
  it.each(cases)('$id', ({ error, expect: wanted }) => {
    const { $error: message = '', ...members } = error ?? {};
    expect(overflowOf(sdkError(message, members)) !== undefined).toBe(wanted);
  });
});
