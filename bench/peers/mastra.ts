import type { Message } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
import { TokenLimiterProcessor } from '@mastra/core/processors';
import type { Peer } from './peer.ts';

type LimiterArgs = Parameters<TokenLimiterProcessor['processLLMRequest']>[0];

const sdkFormat = messageFormats['ai-sdk-model'];

/** A prompt as Mastra hands it to its limiter: parts always in a list, a system message always a text. */
function promptOf(messages: readonly Message[]): unknown[] {
  return sdkFormat.write(messages).map((message) => {
    const { role, content } = message;
    const isText = typeof content === 'string' && role !== 'system';
    return isText ? { role, content: [{ type: 'text', text: content }] } : message;
  });
}

function trimPeer(name: string, trimMode: 'best-fit' | 'contiguous'): Peer {
  return {
    name,
    format: 'ai-sdk-model',
    fit: async (messages, limit) => {
      const limiter = new TokenLimiterProcessor({ limit, trimMode });
      const prompt = promptOf(messages);
      try {
        // It reads nothing of its arguments but the prompt.
        const result = await limiter.processLLMRequest({ prompt } as LimiterArgs);
        return sdkFormat.read(result?.prompt ?? prompt);
      } catch {
        return undefined;
      }
    },
  };
}

/** Mastra's limiter where it acts today, directly before the model, in both ways of choosing. */
export const mastraPeers: readonly Peer[] = [
  trimPeer('Mastra TokenLimiter', 'best-fit'),
  trimPeer('Mastra TokenLimiter, contiguous', 'contiguous'),
];
