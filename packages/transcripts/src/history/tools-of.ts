import type { ToolSchema } from '@ctx/tokens';
import type { TranscriptEvent } from '../transcript.ts';

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** A tool as the providers write it: Anthropic's `input_schema`, OpenAI's `function.parameters`. */
function toolOf(value: unknown): ToolSchema[] {
  const fields = fieldsOf(value);
  const tool = { ...fields, ...fieldsOf(fields['function']) };
  const { name, description } = tool as Fields;
  const given = tool as Fields;
  const inputSchema = given['input_schema'] ?? given['parameters'] ?? given['inputSchema'];
  if (typeof name !== 'string') return [];
  return [{ name, inputSchema, ...(typeof description === 'string' ? { description } : {}) }];
}

/** The tools that a request document offers beside its messages; none where the format does not hold them. */
export function toolsOf(events: readonly TranscriptEvent[]): ToolSchema[] {
  const lists = events.flatMap(({ extra }) => {
    if (extra?.['field'] === 'tools') return [extra['value']];
    return [fieldsOf(extra?.['session'])['tools']];
  });
  return lists.flatMap((list) => (Array.isArray(list) ? list.flatMap(toolOf) : []));
}
