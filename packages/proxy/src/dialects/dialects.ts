import { anthropic } from './anthropic/anthropic.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini/gemini.ts';
import { openAiChat } from './openai-chat/openai-chat.ts';
import { openAiResponses } from './openai-responses/openai-responses.ts';

const dialects: readonly Dialect[] = [anthropic, openAiResponses, openAiChat, gemini];

/** The API whose conversations come at a path; `undefined` for anything else that a client asks. */
export function dialectOf(path: string): Dialect | undefined {
  return dialects.find(({ isConversation }) => isConversation(path));
}
