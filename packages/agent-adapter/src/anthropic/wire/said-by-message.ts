import type { Json, OwnCall, Said } from '../../with-context/wire.ts';
import { isList, isRecord } from '../plain-values.ts';

/** The blocks of a message. */
export function blocksOf(message: Json): readonly Json[] {
  const { content } = message;
  if (isList(content)) return content.filter(isRecord);
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [];
}

/** What a message of the model says. */
export function saidByMessage(message: Json, own: ReadonlySet<string>): Said {
  const blocks = blocksOf(message);
  const isCall = ({ type }: Json): boolean => type === 'tool_use';
  const isOwn = (block: Json): boolean => isCall(block) && own.has(String(block['name']));
  const calls = blocks.filter(isOwn).map(({ id, name, input }): OwnCall => {
    return { id: String(id), name: String(name), input };
  });
  const said = (content: readonly Json[]): Json => ({ role: 'assistant', content });
  return {
    whole: [said(blocks)],
    visible: [said(blocks.filter((block) => !isOwn(block)))],
    own: calls,
    callsHost: blocks.some((block) => isCall(block) && !isOwn(block)),
  };
}
