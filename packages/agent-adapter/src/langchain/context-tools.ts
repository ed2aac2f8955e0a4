import type { ContextManager } from '../context-manager/context-manager.ts';
import type { Media } from '../read-back/media.ts';
import { toolParts } from '../read-back/tool-parts.ts';

/** A block of a message of LangChain that every provider's package reads. */
type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; source_type: 'base64'; mime_type: string; data: string };

function mediaPart({ mediaType, data, url }: Media): ContentPart | undefined {
  if (mediaType.startsWith('image')) {
    const address = data === undefined ? url : `data:${mediaType};base64,${data}`;
    return address === undefined ? undefined : { type: 'image_url', image_url: { url: address } };
  }
  return data === undefined
    ? undefined
    : { type: 'file', source_type: 'base64', mime_type: mediaType, data };
}

const writer = { text: (text: string): ContentPart => ({ type: 'text', text }), media: mediaPart };

/** How LangChain describes a tool. */
export interface ToolFieldsShape {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** `tool` of `langchain` or `@langchain/core/tools`. */
export type MakeTool<Tool> = (
  run: (input: unknown) => Promise<string | ContentPart[]>,
  fields: ToolFieldsShape,
) => Tool;

/** Offers the tools of a manager to an agent: `createAgent({ tools: [...yours, ...contextTools(manager, tool)] })`. */
export function contextTools<Tool>(manager: ContextManager, tool: MakeTool<Tool>): Tool[] {
  return manager.tools().map((each) => {
    const { name, description, inputSchema: schema } = each;
    return tool((input) => toolParts(each, input, writer), { name, description, schema });
  });
}
