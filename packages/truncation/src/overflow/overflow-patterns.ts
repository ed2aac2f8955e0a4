/** How one server says that a request was too long. All texts are lower case. */
export interface OverflowPattern {
  /** Who says so; for people. */
  readonly name: string;
  /** Each of them stands in the text. */
  readonly has: readonly string[];
  /** The size of the request is the first number after one of these; what the model takes, after one of those. */
  readonly reported?: readonly string[];
  readonly limit?: readonly string[];
  /** Room for the answer that was asked for: the number after one of these, or the one before. */
  readonly answerBehind?: readonly string[];
  readonly answerBefore?: readonly string[];
}

/**
 * What the big servers say, the most telling first.
 * Source: reports in public issue trackers, named per line as owner/repository#number; looked up on 2026-11-22.
 */
export const overflowPatterns: readonly OverflowPattern[] = [
  // 400 "input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648, …" anthropics/claude-code#408
  {
    name: 'anthropic, with the answer',
    has: ['exceed context limit'],
    reported: ['exceed context limit:'],
    limit: ['>'],
    answerBehind: ['+'],
  },
  // 400 "prompt is too long: 207791 tokens > 200000 maximum" whoz-oss/coday#26; the same from Bedrock aaif-goose/goose#7504
  // Fireworks: "The prompt is too long: 204811, model maximum context length: 131071"
  {
    name: 'anthropic',
    has: ['prompt is too long'],
    reported: ['prompt is too long:'],
    limit: ['>', 'model maximum context length:'],
  },
  // 400 "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300143 tokens. …"
  {
    name: 'openai, configured limit',
    has: ['exceed the configured limit of'],
    reported: ['resulted in'],
    limit: ['configured limit of'],
  },
  // 400 "This model's maximum context length is 262144 tokens. However, you requested 4096 output tokens and your prompt contains at
  // least 262145 input tokens, …" earendil-works/pi#5929
  {
    name: 'vllm, prompt and answer',
    has: ['maximum context length is', 'your prompt contains'],
    reported: ['your prompt contains'],
    limit: ['maximum context length is'],
    answerBehind: ['you requested'],
  },
  // 400 "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. …"
  // webtimemachine/wtm2#579; the same from Azure. DeepSeek: "… you requested 131134 tokens (122942 in the messages, 8192 in the
  // completion)" evalstate/fast-agent#621. OpenRouter: "This endpoint's maximum context length is 32768 tokens. However, you
  // requested about 42832 tokens" refly-ai/refly#1177. vLLM: vllm-project/vllm#20409, "… and your request has 112946 input tokens"
  {
    name: 'openai chat and compatible',
    has: ['maximum context length is'],
    reported: ['resulted in', 'you requested about', 'you requested', 'your request has'],
    limit: ['maximum context length is'],
    answerBehind: ["'max_tokens' is too large:", "'max_completion_tokens' is too large:"],
    answerBefore: ['in the completion', 'for the completion', 'in the output'],
  },
  // 400 "Prompt contains 65673 tokens … too large for model with 32768 maximum context length"
  {
    name: 'mistral',
    has: ['too large for model with'],
    reported: ['prompt contains'],
    limit: ['too large for model with'],
  },
  // 400 "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)." google-gemini/gemini-cli#6678
  {
    name: 'gemini',
    has: ['input token count', 'exceeds the maximum number of tokens'],
    reported: ['input token count'],
    limit: ['number of tokens allowed'],
  },
  // 400 "… the input token count is 1243000 but model only supports up to 1048576 …"
  {
    name: 'vertex',
    has: ['input token count is', 'supports up to'],
    reported: ['input token count is'],
    limit: ['supports up to'],
  },
  // 400 "This model's maximum prompt length is 131072 but the request contains 136973 tokens." cline/cline#3120
  {
    name: 'xai',
    has: ['maximum prompt length is'],
    reported: ['request contains'],
    limit: ['maximum prompt length is'],
  },
  // 400 "prompt token count of 130743 exceeds the limit of 128000"
  {
    name: 'github copilot',
    has: ['prompt token count of', 'exceeds the limit of'],
    reported: ['prompt token count of'],
    limit: ['exceeds the limit of'],
  },
  // 400 "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)"
  {
    name: 'moonshot',
    has: ['exceeded model token limit'],
    reported: ['requested:'],
    limit: ['exceeded model token limit'],
  },
  // 400 "Please reduce the length of the messages or completion. Current length is 40203 while limit is 32768"
  {
    name: 'cerebras',
    has: ['current length is', 'while limit is'],
    reported: ['current length is'],
    limit: ['while limit is'],
  },
  // 400 "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354" cohere-ai/sandbox-topically#4
  {
    name: 'cohere',
    has: ['too many tokens:', 'cannot exceed'],
    reported: ['received'],
    limit: ['cannot exceed'],
  },
  // 400 "too many tokens: size limit exceeded by 9207 tokens. … The limit for this model is 128000 tokens."
  {
    name: 'cohere, newer',
    has: ['too many tokens:', 'size limit exceeded'],
    limit: ['limit for this model is'],
  },
  // "Too many tokens: the total number of tokens in the prompt exceeds the limit of 4081." Cohere's page of errors
  {
    name: 'cohere, documented',
    has: ['too many tokens:', 'in the prompt exceeds the limit of'],
    limit: ['in the prompt exceeds the limit of'],
  },
  // 400 "Input length 131393 exceeds the maximum allowed input length of 131040 tokens." earendil-works/pi#4943
  {
    name: 'poolside',
    has: ['input length', 'exceeds the maximum allowed input length'],
    reported: ['input length'],
    limit: ['maximum allowed input length of'],
  },
  // 400 "Input length (265330) exceeds model's maximum context length (262144)." earendil-works/pi#5677; also "exceeds the model's
  // maximum context length of 32768 tokens"
  {
    name: 'compatible servers',
    has: ['exceeds', "model's maximum context length"],
    reported: ['input length'],
    limit: ["model's maximum context length"],
  },
  // 400 "The total length of all messages is too long." BerriAI/litellm#21647
  { name: 'perplexity', has: ['length of all messages is too long'] },
  // 400 and 500 {"error":{"type":"exceed_context_size_error","n_prompt_tokens":9018,"n_ctx":8192,"message":"the request exceeds the
  // available context size, try increasing it"}}; newer: "request (9018 tokens) exceeds the available context size (8192 tokens)"
  {
    name: 'llama.cpp',
    has: ['exceeds the available context size'],
    reported: ['n_prompt_tokens', 'request ('],
    limit: ['n_ctx', 'context size ('],
  },
  {
    name: 'llama.cpp, by type',
    has: ['exceed_context_size_error'],
    reported: ['n_prompt_tokens'],
    limit: ['n_ctx'],
  },
  // 500 "Context size has been exceeded."
  { name: 'llama.cpp, while it answers', has: ['context size has been exceeded'] },
  // "The decoder prompt (length 21535) is longer than the maximum model length of 16384." xorbitsai/inference#3785
  {
    name: 'vllm, prompt',
    has: ['longer than the maximum model length of'],
    reported: ['prompt (length'],
    limit: ['maximum model length of'],
  },
  // "The prompt (total length 25938) is too long to fit into the model (context length 4096)." vllm-project/vllm#12165
  {
    name: 'vllm, total',
    has: ['too long to fit into the model'],
    reported: ['total length'],
    limit: ['(context length'],
  },
  // "The input (9023 tokens) is longer than the model's context length (8192 tokens)."
  {
    name: 'sglang',
    has: ["longer than the model's context length"],
    reported: ['the input ('],
    limit: ["the model's context length ("],
  },
  // "`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`" huggingface/llm-vscode#94
  {
    name: 'text-generation-inference',
    has: ['`inputs`', 'given:', 'tokens'],
    reported: ['given:'],
    limit: ['must be <=', 'must have less than'],
  },
  // 400 "Too many input tokens. Max input tokens: 8192, request input token count: 11534"
  {
    name: 'bedrock titan',
    has: ['max input tokens:', 'request input token count:'],
    reported: ['request input token count:'],
    limit: ['max input tokens:'],
  },
  // 400 ValidationException "Input is too long for requested model." aws-samples/bedrock-chat#95
  { name: 'bedrock', has: ['input is too long for requested model'] },
  { name: 'bedrock nova', has: ['number of input tokens exceeds maximum length'] },
  // 400 "Range of input length should be [1, 129024]"
  { name: 'qwen', has: ['range of input length should be'], limit: ['should be [1,'] },
  // "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only
  // 32768 tokens" lmstudio-ai/lmstudio-bug-tracker#546, also with status 200 #2322
  {
    name: 'lm studio',
    has: ['trying to keep the first', 'context'],
    reported: ['trying to keep the first'],
    limit: ['context length of only'],
  },
  { name: 'lm studio, newer', has: ['greater than the context length'] },
  // "Input length 6491 exceeds context length 1500" lmstudio-ai/examples#29
  {
    name: 'lm studio, older',
    has: ['input length', 'exceeds context length'],
    reported: ['input length'],
    limit: ['exceeds context length'],
  },
  // Ollama cuts in silence, unless it is told not to: "the input length exceeds the context length"
  { name: 'ollama', has: ['input length exceeds the context length'] },
  { name: 'ollama, older', has: ['input length exceeds maximum context length'] },
  { name: 'ollama, newer', has: ['exceeded max context length'] },
  // 400 "Your input exceeds the context window of this model. Please adjust your input and try again." anomalyco/opencode#6071
  { name: 'openai responses', has: ['exceeds the context window'] },
  { name: 'minimax', has: ['context window exceeds limit'] },
  { name: 'z.ai', has: ['model_context_window_exceeded'] },
  { name: 'glm', has: ['prompt exceeds max length'] },
  // The code alone, as Groq sends it beside "Please reduce the length of the messages or completion." OpenHands/OpenHands#1902
  { name: 'by code', has: ['context_length_exceeded'] },
  // 400 "Invalid 'messages[3].content': string too long. Expected a string with maximum length 10485760, …" (or 1048576). The same code
  // comes for the id of a call, of at most 64 characters: a shorter request is no help there. AnswerDotAI/fastllm#45
  { name: 'openai, one text', has: ['string too long', 'maximum length 1048576'] },
  // 413 {"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum allowed number of bytes."}}
  { name: 'anthropic, bytes', has: ['request_too_large'] },
  { name: 'any server, bytes', has: ['request entity too large'] },
  { name: 'any server, payload', has: ['payload too large'] },
];

/** Whoever says one of these means something that a shorter request does not help, or not for long. */
export const otherMeanings: readonly string[] = [
  'rate limit',
  'rate_limit',
  'ratelimit',
  'tokens per min',
  'tokens per day',
  'requests per minute',
  'too many requests',
  'quota',
  'throttl',
  'credit balance',
  'api key',
];
