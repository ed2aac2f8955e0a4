import { aiSdkModelFormat } from './formats/ai-sdk-model.ts';
import { aiSdkUiFormat } from './formats/ai-sdk-ui.ts';
import { anthropicFormat } from './formats/anthropic.ts';
import { claudeCodeFormat } from './formats/claude-code.ts';
import { clineFormat, rooFormat } from './formats/cline.ts';
import { codexFormat } from './formats/codex.ts';
import { geminiCliFormat } from './formats/gemini-cli.ts';
import { langChainFormat } from './formats/langchain.ts';
import { mastraFormat } from './formats/mastra.ts';
import { openAiChatFormat } from './formats/openai-chat.ts';
import { openAiResponsesFormat } from './formats/openai-responses.ts';
import { piFormat } from './formats/pi.ts';
import type { TranscriptFormat } from './transcript.ts';

/** The formats of this package. */
export const builtInFormats: readonly TranscriptFormat[] = [
  aiSdkModelFormat,
  aiSdkUiFormat,
  anthropicFormat,
  claudeCodeFormat,
  clineFormat,
  codexFormat,
  geminiCliFormat,
  langChainFormat,
  mastraFormat,
  openAiChatFormat,
  openAiResponsesFormat,
  piFormat,
  rooFormat,
];
