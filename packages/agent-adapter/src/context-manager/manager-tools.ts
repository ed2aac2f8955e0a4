import type { ContextStore } from '@ctx/core';
import { errorAdvice, isCtxError } from '@ctx/core';
import * as z from 'zod';
import { type ReadBackTool, readBackTools } from '../read-back.ts';

/** What the tools of a manager act on. */
export interface ManagerToolHost {
  readonly store: ContextStore;
  readonly agentId: string;
  readonly sessionId: string;
  /** One paragraph: how full the window is, what has left. */
  readonly status: () => Promise<string>;
}

const factCharacters = 4000;
const maxFacts = 20;

function tool<Args>(
  name: string,
  description: string,
  {
    schema,
    run,
  }: { readonly schema: z.ZodType<Args>; readonly run: (args: Args) => Promise<string> },
): ReadBackTool {
  return {
    name,
    description,
    inputSchema: z.toJSONSchema(schema),
    execute: async (args) => {
      const parsed = schema.safeParse(args);
      if (!parsed.success) return `Wrong arguments. ${z.prettifyError(parsed.error)}`;
      try {
        return await run(parsed.data);
      } catch (error) {
        if (isCtxError(error)) return `${error.message}. ${errorAdvice[error.code]}`;
        throw error;
      }
    },
  };
}

function rememberTool({ store, agentId, sessionId }: ManagerToolHost): ReadBackTool {
  const schema = z.strictObject({ fact: z.string().trim().min(1).max(factCharacters) });
  return tool('ctx_remember', 'Keeps one fact for later sessions of this agent.', {
    schema,
    run: async ({ fact }) => {
      // What a model states is believed no more than what it read.
      const input = { text: fact, source: 'assistant', agentId, sessionId };
      const { isNew } = await store.facts.remember(input);
      return isNew ? 'Remembered.' : 'This was known already.';
    },
  });
}

function recallTool({ store, agentId }: ManagerToolHost): ReadBackTool {
  const schema = z.strictObject({
    query: z.string().trim().min(1).max(factCharacters),
    limit: z.int().min(1).max(maxFacts).default(10),
  });
  return tool('ctx_recall', 'Finds facts that were kept in this or in earlier sessions.', {
    schema,
    run: async ({ query, limit }) => {
      const facts = await store.facts.recall({ query, limit, agentId });
      if (facts.length === 0) return 'Nothing is remembered about this.';
      const lines = facts.map(({ text, source }) => JSON.stringify({ fact: text, source }));
      return ['Facts that were kept before, quoted:', ...lines].join('\n');
    },
  });
}

/** What a model can be offered: read back, search, remember, recall, status. Contract: answers are capped. */
export function managerTools(host: ManagerToolHost): readonly ReadBackTool[] {
  const { store, sessionId } = host;
  return [
    ...readBackTools(store, { sessionId }),
    rememberTool(host),
    recallTool(host),
    tool('ctx_status', 'Says how full the context window is and what has left it.', {
      schema: z.strictObject({}),
      run: () => host.status(),
    }),
  ];
}
