// `npm test` tries one way of each kind and few random histories. Here all of them are tried.
import './ai-sdk/ai-sdk.test.ts';
import './ai-sdk/providers.test.ts';
import './ai-sdk/with-context.test.ts';
import './anthropic/random-histories.test.ts';
import './anthropic/with-context.test.ts';
import './claude-code/claude-code.test.ts';
import './google/with-context.test.ts';
import './langchain/with-context.test.ts';
import './mastra/with-context.test.ts';
import './openai-agents/with-context.test.ts';
import './openai/with-context.test.ts';
