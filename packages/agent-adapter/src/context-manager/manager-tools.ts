import { errorAdvice, isCtxError } from '@ctx/core';
import * as z from 'zod';
import { type ReadBackTool, readBackTools } from '../read-back.ts';
import {
  type MemoryHost,
  recallFacts,
  recallSchema,
  recallText,
  rememberFact,
  rememberSchema,
  rememberText,
} from './memory-tools.ts';

const statusText = 'Says how full the context window is and what has left it.';

/** What the tools of a manager act on. */
export interface ManagerToolHost extends MemoryHost {
  readonly sessionId: string;
  /** One paragraph: how full the window is, what has left. */
  readonly status: () => Promise<string>;
}

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
    inputSchema: z.toJSONSchema(schema, { io: 'input' }),
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

/** What a model can be offered: read back, search, remember, recall, status. Contract: answers are capped. */
export function managerTools(host: ManagerToolHost): readonly ReadBackTool[] {
  const { store, sessionId } = host;
  return [
    ...readBackTools(store, { sessionId }),
    tool('ctx_remember', rememberText, {
      schema: rememberSchema,
      run: (args) => rememberFact(host, args),
    }),
    tool('ctx_recall', recallText, {
      schema: recallSchema,
      run: (args) => recallFacts(host, args),
    }),
    tool('ctx_status', statusText, {
      schema: z.strictObject({}),
      run: () => host.status(),
    }),
  ];
}
