import { toJSONSchema, type ZodType } from 'zod';
import type { MarkedMedia } from '../read-back/mark-media.ts';
import { withoutMedia } from '../read-back/read-back-answer.ts';
import { explainFailure } from '../read-back/run-tool.ts';
import { type ContextScope, type ContextTool, contextTools } from './context-tools.ts';
import type {
  McpServerShape,
  MediaPart,
  ResourceAnswer,
  StandardSchema,
  TemplateClass,
  ToolAnswer,
  ToolConfig,
} from './host-types.ts';
import { outputTemplate } from './output-address.ts';
import { listResources, readResource } from './read-resource.ts';

/** What was registered. */
export interface RegisteredContext {
  /** Names of the tools. */
  readonly tools: readonly string[];
  /** Templates of the addresses of resources. */
  readonly resources: readonly string[];
}

/** What a connection sees, and the class that the server's library brings. */
export interface RegisterOptions<Template> extends ContextScope {
  readonly ResourceTemplate: TemplateClass<Template>;
}

/** Answers up to here stay in the conversation of hosts that put long ones away: ours are capped already. */
const maxResultSizeChars = 100_000;

/**
 * A schema for both versions of the server. Version 2 reads the JSON schema and leaves the check to the tool, which answers in words what is
 * wrong; version 1 knows schemas of zod only, and checks by itself.
 */
function bothSchemas(schema: ZodType, json: Record<string, unknown>): ToolConfig['inputSchema'] {
  const standard: StandardSchema['~standard'] = {
    version: 1,
    vendor: 'ctx',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => json, output: () => json },
  };
  return Object.create(schema, { '~standard': { value: standard } }) as ToolConfig['inputSchema'];
}

function configOf(tool: ContextTool): ToolConfig {
  const { title, description, reads, schema, inputSchema, answerSchema } = tool;
  return {
    title,
    description,
    inputSchema: bothSchemas(schema, inputSchema),
    outputSchema: bothSchemas(answerSchema, toJSONSchema(answerSchema)),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    ...(reads ? { _meta: { 'anthropic/maxResultSizeChars': maxResultSizeChars } } : {}),
  };
}

/** Images as the protocol has them; other files as a resource in the answer. What lies elsewhere is named only. */
function mediaPart({ mediaType: mimeType, data }: MarkedMedia): MediaPart | undefined {
  if (data === undefined) return undefined;
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  const uri = `data:${mimeType}`;
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}

async function answerOf({ run }: ContextTool, args: unknown): Promise<ToolAnswer> {
  try {
    const { text, data, links = [], media = [] } = await run(args);
    const linked = links.map((link) => ({ ...link, type: 'resource_link' as const }));
    const shown = media.flatMap((each) => mediaPart(each) ?? []);
    const words = withoutMedia(
      text,
      media.filter((each) => mediaPart(each) === undefined),
    );
    const content = [{ type: 'text' as const, text: words }, ...shown, ...linked];
    return { content, structuredContent: data };
  } catch (error) {
    return { content: [{ type: 'text', text: explainFailure(error) }], isError: true };
  }
}

/** What the protocol answers to an address that names nothing. Source: its specification of 2026-07-28, resources. */
const invalidParameters = -32_602;

/** What the client is told: a code that it knows, and words. */
function resourceError(error: unknown): Error {
  return Object.assign(new Error(explainFailure(error), { cause: error }), {
    code: invalidParameters,
  });
}

const rangeText =
  'A stored tool output, whole; with ?from=10&to=20 these lines of it, with ?characters=1-12000 these characters. ctx://outputs/<id> as it stands in a conversation is read, too.';

/**
 * Registers what a connection can read and keep on an `McpServer` of `@modelcontextprotocol/server` 2 or of `@modelcontextprotocol/sdk` 1: tools, and each stored output
 * as a resource `ctx://<session>/<id>` with ranged reading.
 * Tenant, session and agent are those that are given here; no argument of a call changes them, and what belongs to another
 * session is as unknown as what does not exist. Does nothing until called.
 */
export function registerContext<Template>(
  server: McpServerShape<Template>,
  { ResourceTemplate, ...scope }: RegisterOptions<Template>,
): RegisteredContext {
  const tools = contextTools(scope);
  for (const tool of tools) {
    server.registerTool(tool.name, configOf(tool), (args) => answerOf(tool, args));
  }
  const read = async (uri: URL): Promise<ResourceAnswer> => {
    try {
      return await readResource(scope, uri.href);
    } catch (error) {
      throw resourceError(error);
    }
  };
  const template = new ResourceTemplate(outputTemplate, {
    list: () => listResources(scope),
  });
  const about = { title: 'Stored tool outputs', description: rangeText, mimeType: 'text/plain' };
  server.registerResource('output', template, about, read);
  return { tools: tools.map(({ name }) => name), resources: [outputTemplate] };
}
