import type { ContentBlock, Message } from '@ctx/core';
import type { fitMessages } from '@ctx/truncation';
import type { CliHost } from '../cli-host.ts';
import { followUp } from '../follow-up.ts';
import type { FitPart } from '../schemas/measure.ts';

/** Where the parts of a conversation are read. */
export interface PartPlace {
  readonly host: Pick<CliHost, 'env'>;
  readonly messages: readonly Message[];
  /** Address of the whole conversation. */
  readonly uri: string;
  /** URL of the store. */
  readonly store: string;
}

/** What a block is, in one word. */
export function kindOf(block: ContentBlock | undefined): string {
  if (block === undefined) return 'nothing';
  if (block.type === 'tool_use') return 'call';
  if (block.type === 'tool_result') return 'result';
  return block.type === 'opaque' ? block.format : 'text';
}

/** The tool that a call or a result belongs to. */
export function toolNames(
  messages: readonly Message[],
): (block: ContentBlock) => string | undefined {
  const names = new Map<string, string>();
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool_use') names.set(block.id, block.name);
  }
  return (block) => {
    if (block.type === 'tool_use') return block.name;
    return block.type === 'tool_result' ? names.get(block.toolUseId) : undefined;
  };
}

/** The member of the kept conversation that a block is: the text of a text, the input of a call, else the block. */
type FittedPart = ReturnType<typeof fitMessages>['parts'][number];

function pathOf({ message, block }: FittedPart, found: ContentBlock): string {
  const path = `$[${String(message)}].content[${String(block)}]`;
  if (found.type === 'text') return `${path}.text`;
  return found.type === 'tool_use' ? `${path}.input` : path;
}

/** Where a part can be read, as words of a command. */
function readWords(part: FittedPart, found: ContentBlock, { uri, store }: PartPlace): string[] {
  const isInList = part.pointer.startsWith(uri);
  const what = isInList ? [uri, '--json-path', pathOf(part, found)] : [part.pointer];
  return ['read', ...what, '--store', store];
}

/** What people and programs are told of each block. */
export function fitPartsOf(parts: readonly FittedPart[], where: PartPlace): FitPart[] {
  const toolOf = toolNames(where.messages);
  return parts.flatMap((part): FitPart[] => {
    const message = where.messages[part.message];
    const found = message?.content[part.block];
    if (message === undefined || found === undefined) return [];
    const tool = toolOf(found);
    return [
      {
        message: part.message,
        block: part.block,
        role: message.role,
        kind: kindOf(found),
        ...(tool === undefined ? {} : { tool }),
        form: part.form,
        why: part.why,
        tokensBefore: part.givenTokens,
        tokensAfter: part.tokens,
        read: followUp(where.host, readWords(part, found, where)),
      },
    ];
  });
}
