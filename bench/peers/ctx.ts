import { isCtxError, type Message, repairMessages } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
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

function fitInFormat(name: 'openai-responses' | 'ai-sdk-model'): Peer {
  const { read, write } = messageFormats[name];
  return fitWith(name, (messages) => read(write(messages)));
}

/** Ours, judged in the formats of the others. */
export const ctxPeers: readonly Peer[] = [
  fitWith('langchain', (messages) => canonicalOf(langChainMessages(messages))),
  fitInFormat('openai-responses'),
  fitInFormat('ai-sdk-model'),
];
