import type { ContentBlock, Message } from '@ctx/core';

/** Takes the next message; says for each of its blocks which call it makes or answers, by the id that the window has for that. */
export type NumberCalls = (message: Message) => readonly (string | undefined)[];

/**
 * Starts with an empty history. Clients may use the id of a call again, in each turn even: then it gets a number, as `createAdmission` of
 * @ctx/truncation gives it.
 */
export function createCallNumbers(): NumberCalls {
  const used = new Map<string, number>();
  const open = new Map<string, string[]>();
  const numbered = (given: string): string => {
    let number = used.get(given);
    if (number === undefined) return given;
    while (used.has(`${given}_${String(number)}`)) number += 1;
    used.set(given, number + 1);
    return `${given}_${String(number)}`;
  };
  const opened = (given: string): string => {
    const id = numbered(given);
    used.set(id, 2);
    open.set(given, [...(open.get(given) ?? []), id]);
    return id;
  };
  return ({ role, content }) => {
    const isCalling = role === 'assistant' && content.some(({ type }) => type === 'tool_use');
    if (isCalling) open.clear(); // What has no result by now gets none.
    return content.map((block: ContentBlock) => {
      if (block.type === 'tool_use') return isCalling ? opened(block.id) : undefined;
      if (block.type !== 'tool_result' || role !== 'user') return undefined;
      return open.get(block.toolUseId)?.shift();
    });
  };
}

/** Says what id the window will have for a call that comes next. Goes through the messages. */
export function nextCallId(messages: readonly Message[]): (given: string) => string {
  const number = createCallNumbers();
  for (const message of messages) number(message);
  return (id) => {
    const [next] = number({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: '', input: {} }],
    });
    return next ?? id;
  };
}
