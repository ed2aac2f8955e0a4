import type { Message } from '@ctx/core';
import { createRandom } from './random.ts';

const words =
  'review the report about shipping lists and look whether some rows of last month were counted twice before we go on with it'.split(
    ' ',
  );

/**
 * A conversation of about `tokens` tokens (four characters each) in which nothing matters: in turn a message of the user, one of the
 * assistant, and a call with its result, all of one length.
 */
export function evenHistory(tokens: number, units: number): readonly Message[] {
  const random = createRandom(7);
  const filler = (): string => {
    const text: string[] = [];
    let length = 0;
    while (length < (tokens * 4) / units) {
      const word = random.pick(words);
      text.push(word);
      length += word.length + 1;
    }
    return text.join(' ');
  };
  return Array.from({ length: units }, (_, number) => messagesOf(number, filler())).flat();
}

function messagesOf(number: number, text: string): readonly Message[] {
  const said = [{ type: 'text', text }] as const;
  if (number % 3 === 0) return [{ role: 'user', content: said }];
  if (number % 3 === 1) return [{ role: 'assistant', content: said }];
  const id = `call-${String(number)}`;
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: { number } }] },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content: said }] },
  ];
}
