import type { ContextStore } from '@ctx/store';
import type { ReadBackAnswer } from './read-back-answer.ts';
import { readOutputInput, searchOutputsInput } from './tool-inputs.ts';

/** A tool that an agent offers to its model, in the shape that all SDKs take: a name, a JSON schema, a function. */
export interface ReadBackTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Checks what the model sent and answers with text. Rejects only for a fault of the program. */
  readonly execute: (args: unknown) => Promise<string>;
  /** Does the same, and brings the pictures and documents that `execute` names only; missing if the tool knows none. */
  readonly answer?: (args: unknown) => Promise<ReadBackAnswer>;
}

/** What a model is told of the tools. */
export const readBackTexts = {
  read: 'Reads a stored tool output by its pointer (ctx://outputs/…): whole, by lines, by characters, by pattern or by JSON path. Long answers come in parts.',
  search: 'Searches the stored tool outputs by words; gives pointers with the lines that match.',
} as const;

export interface ReadBackOptions {
  /** Only outputs of this session can be read. Default: all of the tenant. */
  readonly sessionId?: string;
}

/**
 * The tools with which a model reads back what left its window.
 * Every answer is capped, says where it goes on, and quotes stored text as data.
 * Errors of ctx and of the store are answered in words; what is no `CtxError` is a fault of the program and is thrown.
 */
export function readBackTools(
  store: ContextStore,
  options: ReadBackOptions = {},
): readonly [ReadBackTool, ReadBackTool] {
  const { sessionId } = options;
  return [
    {
      name: 'ctx_read_output',
      description: readBackTexts.read,
      inputSchema: readOutputInput,
      execute: async (args) => (await import('./run-tool.ts')).runReadText(store, args, sessionId),
      answer: async (args) => (await import('./run-tool.ts')).runRead(store, args, sessionId),
    },
    {
      name: 'ctx_search_outputs',
      description: readBackTexts.search,
      inputSchema: searchOutputsInput,
      execute: async (args) => (await import('./run-tool.ts')).runSearch(store, args, sessionId),
    },
  ];
}
