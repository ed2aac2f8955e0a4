import { anthropicFormat } from './formats/anthropic.ts';
import { claudeCodeFormat } from './formats/claude-code.ts';
import { openAiChatFormat } from './formats/openai-chat.ts';
import { openAiResponsesFormat } from './formats/openai-responses.ts';
import type { TranscriptFormat } from './transcript.ts';

/** The formats of this package. */
export const builtInFormats: readonly TranscriptFormat[] = [
  anthropicFormat,
  claudeCodeFormat,
  openAiChatFormat,
  openAiResponsesFormat,
];
