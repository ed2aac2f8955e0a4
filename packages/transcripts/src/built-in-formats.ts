import { aiSdkModelFormat } from './formats/ai-sdk/ai-sdk-model.ts';
import { aiSdkUiFormat } from './formats/ai-sdk/ai-sdk-ui.ts';
import { aiderFormat } from './formats/aider/aider.ts';
import { anthropicFormat } from './formats/anthropic/anthropic.ts';
import { claudeCodeFormat } from './formats/claude-code/claude-code.ts';
import { clineFormat, rooFormat } from './formats/cline/cline.ts';
import { codexFormat } from './formats/codex/codex.ts';
import { ctxFormat } from './formats/ctx/ctx.ts';
import { geminiCliFormat } from './formats/gemini-cli/gemini-cli.ts';
import { langChainFormat } from './formats/langchain/langchain.ts';
import { mastraFormat } from './formats/mastra/mastra.ts';
import { openAiChatFormat } from './formats/openai-chat/openai-chat.ts';
import { openAiResponsesFormat } from './formats/openai-responses/openai-responses.ts';
import { openCodeFormat } from './formats/opencode/opencode.ts';
import { openHandsFormat } from './formats/openhands/openhands.ts';
import { piFormat } from './formats/pi/pi.ts';
import { sessionJsonFormat } from './formats/session-json/session-json.ts';
import { sweAgentFormat } from './formats/swe-agent/swe-agent.ts';
import { toolBenchFormat } from './formats/toolbench/toolbench.ts';
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
