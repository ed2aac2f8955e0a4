import type { ContentBlock, Message } from '@ctx/core';
import type { ReplayPolicy } from '@ctx/replay';

/** Results that stay at least, and how many are cleared at once. */
const [keptResults, batch] = [30, 15];

const cleared = '[Old tool result content cleared]';

/** Clears the oldest results by age alone, in batches, so that the prefix seldom breaks: the plain rule to beat. */
export const ageRule: ReplayPolicy = {
  name: 'age-30-15',
  description: 'keeps the newest 30 results, clears 15 at once',
  start: () => {
    const messages: Message[] = [];
    const places: { readonly message: number; readonly block: number }[] = [];
    const clear = (place: { readonly message: number; readonly block: number }): void => {
      const message = messages[place.message];
      const block = message?.content[place.block];
      if (message === undefined || block?.type !== 'tool_result') return;
      const stub: ContentBlock = { ...block, content: [{ type: 'text', text: cleared }] };
      const content = message.content.map((each) => (each === block ? stub : each));
      messages[place.message] = { ...message, content };
    };
    return {
      insert: (message) => {
        for (const [block, { type }] of message.content.entries()) {
          if (type === 'tool_result') places.push({ message: messages.length, block });
        }
        messages.push(message);
      },
      render: () => {
        if (places.length >= keptResults + batch) {
          for (const place of places.splice(0, places.length - keptResults)) clear(place);
        }
        return messages;
      },
      pointers: () => new Set(),
    };
  },
};
