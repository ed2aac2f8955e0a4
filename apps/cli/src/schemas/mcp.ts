import { z } from 'zod';

/** What `ctx mcp --json` says: what a client would be offered. */
export interface McpAnswer {
  readonly store: string;
  readonly session?: string;
  readonly tools: readonly string[];
  readonly resources: readonly string[];
}

export const mcpAnswerSchema: z.ZodType<McpAnswer> = z.object({
  store: z.string(),
  session: z.string().exactOptional(),
  tools: z.array(z.string()),
  resources: z.array(z.string()).describe('Templates of addresses'),
});
