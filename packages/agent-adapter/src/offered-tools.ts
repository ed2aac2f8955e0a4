import { isRecord } from '@ctx/core/encoding';
import * as z from 'zod';

function memberOf(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}

/** A schema in a form that JSON can say; nothing where it cannot be known. */
function schemaOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  // What the AI SDK and Mastra make of a schema holds it as JSON says it.
  if ('jsonSchema' in schema) return schema.jsonSchema;
  if (!('_zod' in schema)) return '_def' in schema || '~standard' in schema ? undefined : schema;
  try {
    // The mark above is that of a schema of zod 4.
    return z.toJSONSchema(schema as z.ZodType, { unrepresentable: 'any', io: 'input' });
  } catch {
    return undefined;
  }
}

/** Where LangChain, Mastra and the OpenAI Agents SDK keep the schema of a tool. */
const schemaKeys = ['schema', 'inputSchema', 'parameters'] as const;

/** Leaves out the name of the dialect: Mastra writes another one into the schemas of a run between its first two steps. */
function withoutDialect(schema: unknown): unknown {
  if (!isRecord(schema) || !Object.hasOwn(schema, '$schema')) return schema;
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

function plainTool(tool: unknown): unknown {
  if (typeof tool !== 'object' || tool === null) return tool;
  const name = memberOf(tool, 'name') ?? memberOf(tool, 'id');
  const key = schemaKeys.find((each) => each in tool);
  // What has no name and schema of its own is a provider's tool, which is plain.
  if (typeof name !== 'string' || key === undefined) return tool;
  const description = memberOf(tool, 'description');
  const schema = schemaOf(memberOf(tool, key));
  return {
    name,
    ...(description === undefined ? {} : { description }),
    schema: withoutDialect(schema) ?? null,
  };
}

/** Says of tools what a provider is sent, about: names, descriptions and schemas. Goes through each tool once. */
export function offeredTools(): (tools: readonly unknown[]) => readonly unknown[] {
  const known = new WeakMap<object, unknown>();
  const plain = (tool: unknown): unknown => {
    if (typeof tool !== 'object' || tool === null) return tool;
    const before = known.get(tool);
    if (before !== undefined) return before;
    const made = plainTool(tool);
    known.set(tool, made);
    return made;
  };
  return (tools) => tools.map(plain);
}
