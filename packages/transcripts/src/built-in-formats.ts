import { aiSdkModelFormat } from './formats/ai-sdk-model.ts';
import { aiSdkUiFormat } from './formats/ai-sdk-ui.ts';
import { aiderFormat } from './formats/aider.ts';
import { anthropicFormat } from './formats/anthropic.ts';
import { claudeCodeFormat } from './formats/claude-code.ts';
import { clineFormat, rooFormat } from './formats/cline.ts';
import { codexFormat } from './formats/codex.ts';
import { ctxFormat } from './formats/ctx.ts';
import { geminiCliFormat } from './formats/gemini-cli.ts';
import { langChainFormat } from './formats/langchain.ts';
import { mastraFormat } from './formats/mastra.ts';
import { openAiChatFormat } from './formats/openai-chat.ts';
import { openAiResponsesFormat } from './formats/openai-responses.ts';
import { openCodeFormat } from './formats/opencode.ts';
import { openHandsFormat } from './formats/openhands.ts';
import { piFormat } from './formats/pi.ts';
import { sessionJsonFormat } from './formats/session-json.ts';
import { sweAgentFormat } from './formats/swe-agent.ts';
import { toolBenchFormat } from './formats/toolbench.ts';
import type { TranscriptFormat } from './transcript.ts';

/** The formats of this package. */
export const builtInFormats: readonly TranscriptFormat[] = [
  aiSdkModelFormat,
  aiSdkUiFormat,
  aiderFormat,
  anthropicFormat,
  claudeCodeFormat,
  clineFormat,
  codexFormat,
  ctxFormat,
  geminiCliFormat,
  langChainFormat,
  mastraFormat,
  openAiChatFormat,
  openAiResponsesFormat,
  openCodeFormat,
  openHandsFormat,
  piFormat,
  rooFormat,
  sessionJsonFormat,
  sweAgentFormat,
  toolBenchFormat,
];
