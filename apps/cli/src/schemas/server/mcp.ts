import { z } from 'zod';

/** What `ctx mcp --json` says: what a client would be offered. */
export const mcpAnswerSchema = z.object({
  store: z.string(),
  session: z.string().exactOptional(),
  tools: z.array(z.string()),
  resources: z.array(z.string()).describe('Templates of addresses'),
});
