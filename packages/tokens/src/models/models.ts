import type { EncodingName } from '../encoding/load-encoding.ts';

/** Who serves a model: decides framing, image and document rules. */
export type Provider =
  | 'anthropic'
  | 'openai'
  | 'google'
  | 'deepseek'
  | 'mistral'
  | 'meta'
  | 'qwen'
  | 'xai'
  | 'moonshot';

/** What a request to a model may hold. */
export interface ModelInfo {
  readonly provider: Provider;
  /** Input and output together, tokens. */
  readonly windowTokens: number;
  /** Most that the model writes in one response, tokens. */
  readonly outputTokens: number;
  readonly encoding: EncodingName;
  /** Whether `encoding` is the model's own; else it is the nearest public one. */
  readonly isExact: boolean;
  /** Where a calibration should begin; 1 where nothing is known. */
  readonly startFactor: number;
}

/** When the table was last compared with its sources. */
export const modelsCheckedAt = '2026-11-21';

type Row = readonly [prefix: string, windowTokens: number, outputTokens: number];

const million = 1_000_000;

/** Source: platform.claude.com, models overview and the pages of the models; older ones from their announcements. */
const anthropic: readonly Row[] = [
  ['claude-', 200_000, 32_000],
  ['claude-2', 200_000, 4_096],
  ['claude-3', 200_000, 4_096],
  ['claude-3-5', 200_000, 8_192],
  ['claude-3-7', 200_000, 64_000],
  ['claude-haiku-4', 200_000, 64_000],
  ['claude-sonnet-4', 200_000, 64_000],
  ['claude-sonnet-4-6', million, 64_000],
  ['claude-sonnet-5', million, 128_000],
  ['claude-opus-4', 200_000, 32_000],
  ['claude-opus-4-5', 200_000, 64_000],
  ['claude-opus-4-6', million, 128_000],
  ['claude-opus-4-7', million, 128_000],
  ['claude-opus-4-8', million, 128_000],
  ['claude-opus-5', million, 128_000],
  ['claude-fable-', million, 128_000],
  ['claude-mythos-', million, 128_000],
];

/** Source: platform.claude.com, token counting: these use a newer tokenizer, about 30 % more tokens for the same text. */
const newerClaudeTokenizer: readonly string[] = [
  'claude-opus-4-7',
  'claude-opus-4-8',
  'claude-opus-5',
  'claude-sonnet-5',
  'claude-fable-',
  'claude-mythos-',
];

/** Source: platform.openai.com, models. The GPT-5 windows hold 272,000 of input and 128,000 of output. */
const openai: readonly Row[] = [
  ['chatgpt-4o', 128_000, 16_384],
  ['gpt-4o', 128_000, 16_384],
  ['gpt-4.1', 1_047_576, 32_768],
  ['gpt-4.5', 128_000, 16_384],
  ['gpt-5', 400_000, 128_000],
  ['gpt-5-chat', 128_000, 16_384],
  ['gpt-5.4', 1_050_000, 128_000],
  ['gpt-5.4-mini', 400_000, 128_000],
  ['gpt-5.4-nano', 400_000, 128_000],
  ['gpt-5.5', 1_050_000, 128_000],
  ['gpt-5.6', 1_050_000, 128_000],
  ['gpt-5.6-luna', 400_000, 128_000],
  ['gpt-5.6-sol', 400_000, 128_000],
  ['gpt-5.6-terra', 400_000, 128_000],
  ['gpt-oss', 131_072, 131_072],
  ['codex-', 200_000, 100_000],
  ['o1', 200_000, 100_000],
  ['o1-mini', 128_000, 65_536],
  ['o1-preview', 128_000, 32_768],
  ['o3', 200_000, 100_000],
  ['o4', 200_000, 100_000],
];

/** Source: platform.openai.com, models; the encodings as in tiktoken's model table. */
const openaiOlder: readonly Row[] = [
  ['gpt-3.5', 16_385, 4_096],
  ['gpt-35', 16_385, 4_096],
  ['gpt-4', 8_192, 4_096],
  ['gpt-4-32k', 32_768, 4_096],
  ['gpt-4-1106', 128_000, 4_096],
  ['gpt-4-0125', 128_000, 4_096],
  ['gpt-4-turbo', 128_000, 4_096],
  ['gpt-4-vision', 128_000, 4_096],
  ['text-embedding-3', 8_192, 1],
  ['text-embedding-ada', 8_192, 1],
];

/** Source: the providers' model pages. None publishes counts equal to o200k_base; it is the nearest we hold. */
const others: Readonly<Record<Exclude<Provider, 'anthropic' | 'openai'>, readonly Row[]>> = {
  google: [
    ['gemini-', 1_048_576, 65_536],
    ['gemini-1.5', 1_048_576, 8_192],
    ['gemini-1.5-pro', 2_097_152, 8_192],
    ['gemini-2.0', 1_048_576, 8_192],
    ['gemma-3', 131_072, 8_192],
  ],
  deepseek: [
    ['deepseek-', 131_072, 8_192],
    ['deepseek-reasoner', 131_072, 65_536],
    ['deepseek-v4', million, 8_192],
  ],
  mistral: [
    ['mistral-', 131_072, 8_192],
    ['ministral-', 131_072, 8_192],
    ['magistral-', 131_072, 40_000],
    ['codestral-', 256_000, 8_192],
    ['devstral-', 131_072, 8_192],
    ['pixtral-', 131_072, 8_192],
    ['open-mixtral-', 32_768, 8_192],
  ],
  meta: [
    ['llama-3', 131_072, 8_192],
    ['llama3', 131_072, 8_192],
    ['llama-4-maverick', million, 8_192],
    ['llama-4-scout', 10 * million, 8_192],
    ['meta-llama-3', 131_072, 8_192],
  ],
  qwen: [
    ['qwen', 32_768, 8_192],
    ['qwen2.5', 131_072, 8_192],
    ['qwen3', 131_072, 32_768],
    ['qwen3-coder', 262_144, 65_536],
    ['qwq-', 131_072, 8_192],
  ],
  xai: [
    ['grok-', 131_072, 131_072],
    ['grok-4', 256_000, 256_000],
  ],
  moonshot: [['kimi-k2', 131_072, 131_072]],
};

function rowsOf(
  rows: readonly Row[],
  rest: Pick<ModelInfo, 'provider' | 'encoding' | 'isExact'>,
): [string, ModelInfo][] {
  return rows.map(([prefix, windowTokens, outputTokens]) => {
    const startFactor = newerClaudeTokenizer.includes(prefix) ? 1.3 : 1;
    return [prefix, { ...rest, windowTokens, outputTokens, startFactor }];
  });
}

function otherRows(provider: keyof typeof others): [string, ModelInfo][] {
  return rowsOf(others[provider], { provider, encoding: 'o200k_base', isExact: false });
}

/** Models by the beginning of their name; the longest that fits counts. Checked at {@link modelsCheckedAt}. */
export const modelsByPrefix: ReadonlyMap<string, ModelInfo> = new Map([
  ...rowsOf(anthropic, { provider: 'anthropic', encoding: 'o200k_base', isExact: false }),
  ...rowsOf(openai, { provider: 'openai', encoding: 'o200k_base', isExact: true }),
  ...rowsOf(openaiOlder, { provider: 'openai', encoding: 'cl100k_base', isExact: true }),
  ...otherRows('google'),
  ...otherRows('deepseek'),
  ...otherRows('mistral'),
  ...otherRows('meta'),
  ...otherRows('qwen'),
  ...otherRows('xai'),
  ...otherRows('moonshot'),
]);
