import { z } from 'zod';

/** The text of a fact. */
export const factText = z.string().min(1).max(4000);

/** A fact that a request states. */
export const factBody = z.strictObject({
  text: factText,
  source: z.string().min(1).max(200).exactOptional().describe('user, assistant, or a tool or file'),
  trust: z.enum(['trusted', 'derived', 'untrusted']).exactOptional(),
  pinned: z.boolean().exactOptional(),
  supersedes: factText.exactOptional().describe('Text of the fact whose place it takes'),
});
