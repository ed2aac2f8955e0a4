import type { ContentBlock, Message, TextBlock } from '@ctx/core';
import { replayPolicies } from '@ctx/replay';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { realRecipes } from '../../bench/window-general/real-recipe.ts';

const text: TextBlock = { type: 'text', text: 'words' };
const thinking: ContentBlock = { type: 'opaque', format: 'anthropic', data: { type: 'thinking' } };

/** What an agent thinks and says, how many calls it makes, and whether the user says something beside their results. */
interface Step {
  readonly thinks: boolean;
  readonly says: boolean;
  readonly calls: number;
  readonly isInterrupted: boolean;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  thinks: fc.boolean(),
  says: fc.boolean(),
  calls: fc.nat(3),
  isInterrupted: fc.boolean(),
});

function messagesOf(steps: readonly Step[]): Message[] {
  return steps.flatMap(({ thinks, says, calls, isInterrupted }, at): Message[] => {
    const ids = Array.from({ length: calls }, (_, call) => `c${String(at)}-${String(call)}`);
    const asked = ids.map(
      (id): ContentBlock => ({ type: 'tool_use', id, name: 'Read', input: { path: id } }),
    );
    const answers = ids.map(
      (toolUseId): ContentBlock => ({ type: 'tool_result', toolUseId, content: [text] }),
    );
    const said = [...(thinks ? [thinking] : []), ...(says || calls === 0 ? [text] : [])];
    return [
      { role: 'assistant', content: [...said, ...asked] },
      { role: 'user', content: [...answers, ...(isInterrupted || calls === 0 ? [text] : [])] },
    ];
  });
}

test('our recipe sends what pruneMessages of the installed package leaves, request for request', () => {
  const context = {
    windowTokens: 10,
    fixedTokens: 0,
    tokensOf: ({ content }: Message) => content.length,
  };
  const ours = replayPolicies.find(({ name }) => name === 'recipe');
  const [real] = realRecipes;
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 12 }), (steps) => {
      // Neither reads anything else of a context.
      const given = context as Parameters<NonNullable<typeof real>['start']>[0];
      const [own, theirs] = [ours?.start(given), real?.start(given)];
      for (const message of messagesOf(steps)) {
        own?.insert(message, new Map());
        theirs?.insert(message, new Map());
        expect(own?.render(0)).toEqual(theirs?.render(0));
      }
    }),
  );
});
