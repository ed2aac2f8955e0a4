import type { ContentBlock, Message } from '@ctx/core';

/** What stands before places in the log of a session where a shell reads them: ids of proxied sessions have fifteen digits. */
const readPlaces = 'ctx read p000000000000000/';

function isOwnLine(line: string): boolean {
  return line.endsWith(']') && (line.startsWith('[ctx: ') || /^\[.* → ctx:/.test(line));
}

function textAsSent(text: string): string {
  if (!text.includes('ctx://')) return text;
  const written = (line: string): string =>
    isOwnLine(line) && !line.includes('ctx read ')
      ? line
          .replaceAll('ctx://messages/', readPlaces)
          .replaceAll('ctx://outputs/', 'ctx read ctx://outputs/')
      : line;
  return text.split('\n').map(written).join('\n');
}

function blockAsSent(block: ContentBlock): ContentBlock {
  if (block.type === 'text') {
    const text = textAsSent(block.text);
    return text === block.text ? block : { ...block, text };
  }
  if (block.type !== 'tool_result') return block;
  const content = block.content.map((part) => {
    const text = part.type === 'text' ? textAsSent(part.text) : '';
    return part.type === 'text' && text !== part.text ? { ...part, text } : part;
  });
  return content.every((part, at) => part === block.content[at]) ? block : { ...block, content };
}

/** Calls a function once for each object, and not again. */
function once<Given extends object>(make: (given: Given) => Given): (given: Given) => Given {
  const known = new WeakMap<Given, Given>();
  return (given) => {
    const made = known.get(given) ?? make(given);
    known.set(given, made);
    return made;
  };
}

/** Shows messages as `ctx run` sends them: in lines of ctx, addresses are commands of a shell. All others are the same objects. */
export function asCommands(): (messages: readonly Message[]) => readonly Message[] {
  const sentBlock = once(blockAsSent);
  const sent = once((message: Message): Message => {
    const content = message.content.map(sentBlock);
    const isSame = content.every((block, at) => block === message.content[at]);
    return isSame ? message : { ...message, content };
  });
  return (messages) => messages.map(sent);
}
