import type { Message } from '@ctx/core';
import type { ReplayPolicy } from '../replay-policy.ts';

const noPointers: ReadonlySet<string> = new Set();

/** Sends everything, always: the measure of what the others save and lose. */
export const none: ReplayPolicy = {
  name: 'none',
  description: 'the whole history in every request',
  start() {
    const messages: Message[] = [];
    return {
      insert: (message) => {
        messages.push(message);
      },
      render: () => messages,
      pointers: () => noPointers,
    };
  },
};
