// `npm test` tries few of the random histories. Here all of them are tried.
import './formats/ai-sdk/ai-sdk-model.test.ts';
import './formats/ai-sdk/ai-sdk-ui.test.ts';
import './formats/langchain/langchain.test.ts';
import './formats/mastra/mastra.test.ts';
import './formats/openai-chat/openai-chat.test.ts';
import './formats/openai-responses/openai-responses.test.ts';
import './formats/sdk-contracts.test.ts';
import './read-transcript.test.ts';
