import type { ContextManager } from '../context-manager/context-manager.ts';
import { offeredTools } from '../offered-tools.ts';
import { fitInput } from './fit-input.ts';
import type { ItemShape } from './host-types.ts';
import { noteReplaced } from './items/original-items.ts';

/** What a filter is given. */
interface FilterArgs<Item extends ItemShape> {
  /** The agent that asks; its tools and its room for the answer go with the input. */
  readonly agent?: {
    readonly tools?: readonly unknown[];
    readonly modelSettings?: { readonly maxTokens?: number | undefined };
  };
  readonly modelData: { readonly input: Item[]; readonly instructions?: string | undefined };
}

/** A filter for the input of each request of a run. */
export interface ContextInputFilter {
  <Item extends ItemShape>(
    args: FilterArgs<Item>,
  ): Promise<{ input: Item[]; instructions?: string }>;
  readonly preserveInputIdentity: true;
}

/**
 * Makes the input of each request fit from a run's `callModelInputFilter`; use `contextModel` where you can, it learns from the usage
 * and asks again where a request was too long. Use one of the two.
 * The SDK stores what this gives back in the place of the user's words; so what the run was given goes out as it came, but
 * where it alone does not fit: then a session of `createSession({ …, manager })` stores the original.
 */
export function contextInputFilter(manager: ContextManager): ContextInputFilter {
  const plainTools = offeredTools();
  const filter = async <Item extends ItemShape>({ modelData, agent }: FilterArgs<Item>) => {
    const { input, instructions } = modelData;
    const system = instructions ?? '';
    const answerTokens = agent?.modelSettings?.maxTokens;
    const { items, replaced } = await fitInput(manager, input, {
      system,
      tools: plainTools(agent?.tools ?? []),
      ...(answerTokens === undefined ? {} : { answerTokens }),
    });
    noteReplaced(manager, replaced());
    // Items that came in, or items of the same kinds.
    const given = instructions === undefined ? {} : { instructions };
    return { input: [...items] as Item[], ...given };
  };
  return Object.assign(filter, { preserveInputIdentity: true } as const);
}
