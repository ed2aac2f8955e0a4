import { isCtxError, type Message, repairMessages } from '@ctx/core';
import {
  fromAiSdkModel,
  fromOpenAiResponses,
  toAiSdkModel,
  toOpenAiResponses,
} from '@ctx/transcripts';
import { fitMessages } from '@ctx/truncation';
import { canonicalOf, langChainMessages } from './langchain.ts';
import { type Peer, tokensOf } from './peer.ts';

function fitWith(format: string, asFormat: (messages: readonly Message[]) => Message[]): Peer {
  return {
    name: `ctx as ${format}`,
    format,
    fit: async (messages, budgetTokens) => {
      const valid = repairMessages(messages).messages;
      try {
        const { messages: fitted } = fitMessages(valid, { budgetTokens, tokensOf });
        return asFormat(fitted.map(({ message }) => message));
      } catch (error) {
        if (isCtxError(error, 'CTX_WINDOW_OVERFLOW')) return undefined;
        throw error;
      }
    },
  };
}

/** Ours, judged in the formats of the others. */
export const ctxPeers: readonly Peer[] = [
  fitWith('langchain', (messages) => canonicalOf(langChainMessages(messages))),
  fitWith('openai-responses', (messages) => fromOpenAiResponses(toOpenAiResponses(messages))),
  fitWith('ai-sdk-model', (messages) =>
    toAiSdkModel(messages).flatMap((message) => fromAiSdkModel(message)),
  ),
];
