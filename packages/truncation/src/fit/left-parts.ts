import type { ContentBlock, Message } from '@ctx/core';
import type { FittedPart } from './fit-messages.ts';

/** What became of the conversation: what a policy made of it first, and what the window made of that. */
export interface FitStages {
  readonly given: readonly Message[];
  /** After the policy; the same as `given` where there is none. */
  readonly view: readonly Message[];
  /** What the window did, by the blocks of `view`. */
  readonly parts: readonly FittedPart[];
  readonly policy: string;
  readonly tokensOf: (message: Message) => number;
  readonly pointerOf: (message: number, block: ContentBlock) => string;
}

interface PolicyView {
  /** What the window did with a block of the view. */
  readonly byBlock: ReadonlyMap<ContentBlock, FittedPart>;
  readonly byCall: ReadonlyMap<string, FittedPart>;
  readonly byResult: ReadonlyMap<string, FittedPart>;
}

function viewOf({ view, parts }: FitStages): PolicyView {
  const byBlock = new Map<ContentBlock, FittedPart>();
  const byCall = new Map<string, FittedPart>();
  const byResult = new Map<string, FittedPart>();
  for (const part of parts) {
    const block = view[part.message]?.content[part.block];
    if (block === undefined) continue;
    byBlock.set(block, part);
    if (block.type === 'tool_use') byCall.set(block.id, part);
    if (block.type === 'tool_result') byResult.set(block.toolUseId, part);
  }
  return { byBlock, byCall, byResult };
}

/** The part that stands for a block that the policy changed. */
function standIn(block: ContentBlock, { byCall, byResult }: PolicyView): FittedPart | undefined {
  if (block.type === 'tool_use') return byCall.get(block.id);
  return block.type === 'tool_result' ? byResult.get(block.toolUseId) : undefined;
}

function leftByPolicy(
  place: Pick<FittedPart, 'message' | 'block' | 'pointer' | 'givenTokens'>,
  stand: FittedPart | undefined,
  policy: string,
): FittedPart {
  if (stand === undefined) {
    return { ...place, form: 'cut', why: `taken out by the policy ${policy}`, tokens: 0 };
  }
  const { tokens } = stand;
  if (stand.form !== 'whole') return { ...stand, ...place, tokens };
  return { ...place, form: 'stub', why: `a short text stands for it: policy ${policy}`, tokens };
}

/** Says of every block that was given what it is now. Pure; in order. */
export function partsOfStages(stages: FitStages): FittedPart[] {
  if (stages.view === stages.given) return [...stages.parts];
  const view = viewOf(stages);
  return stages.given.flatMap(({ role, content }, message) =>
    content.map((block, index): FittedPart => {
      const pointer = stages.pointerOf(message, block);
      const same = view.byBlock.get(block);
      if (same !== undefined) return { ...same, message, block: index, pointer };
      const givenTokens = stages.tokensOf({ role, content: [block] });
      const place = { message, block: index, pointer, givenTokens };
      return leftByPolicy(place, standIn(block, view), stages.policy);
    }),
  );
}
