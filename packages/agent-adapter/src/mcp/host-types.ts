/** The smallest shapes of servers and clients of versions 1 and 2 that are needed here. */
import type { ZodType } from 'zod';

/** A schema as the server takes it: a Standard Schema that says its JSON schema, too. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

export interface TextPart {
  [key: string]: unknown;
  type: 'text';
  text: string;
}

export interface ResourceLinkPart {
  [key: string]: unknown;
  type: 'resource_link';
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  size?: number;
}

export type MediaPart =
  | { [key: string]: unknown; type: 'image'; data: string; mimeType: string }
  | {
      [key: string]: unknown;
      type: 'resource';
      resource: { uri: string; mimeType: string; blob: string };
    };

/** What a tool answers. */
export interface ToolAnswer {
  [key: string]: unknown;
  content: (TextPart | MediaPart | ResourceLinkPart)[];
  /** The same as data, as the `outputSchema` of the tool says. */
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** How a tool is registered. */
export interface ToolConfig {
  title: string;
  description: string;
  /** Version 2 takes the one, version 1 the other. */
  inputSchema: StandardSchema & ZodType;
  outputSchema: StandardSchema & ZodType;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  _meta?: Record<string, unknown>;
}

/** What a resource answers. */
export interface ResourceAnswer {
  [key: string]: unknown;
  contents: { uri: string; mimeType: string; text: string; _meta?: Record<string, unknown> }[];
}

/** A resource in a list. */
export interface ListedResource {
  [key: string]: unknown;
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  size?: number;
}

/** An `McpServer` of either version, as far as it is needed. */
export interface McpServerShape<Template> {
  registerTool(
    name: string,
    config: ToolConfig,
    run: (args: unknown) => Promise<ToolAnswer>,
  ): unknown;
  registerResource(
    name: string,
    template: Template,
    config: { title: string; description: string; mimeType: string },
    read: (uri: URL) => Promise<ResourceAnswer>,
  ): unknown;
}

/** The class `ResourceTemplate` of version 2. */
export type TemplateClass<Template> = new (
  uriTemplate: string,
  callbacks: { list: (() => Promise<{ resources: ListedResource[] }>) | undefined },
) => Template;
