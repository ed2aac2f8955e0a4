import { type ContextScope, contextInstructions, registerContext } from '@ctx/agent-adapter/mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

/** A client of version 1, as most hosts have one. */
export function newClient(): Client {
  return new Client({ name: 'host', version: '1.0.0' });
}

/** A client of version 1 beside a server of version 2 that sees what the scope says. */
export async function connect(scope: ContextScope): Promise<Client> {
  const told = { instructions: contextInstructions };
  const server = new McpServer({ name: 'ctx', version: '1.0.0' }, told);
  registerContext(server, { ...scope, ResourceTemplate });
  const client = newClient();
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return client;
}

interface AnyAnswer {
  readonly [key: string]: unknown;
}

/** The texts of an answer, one below the other. */
export function textOf({ content }: AnyAnswer): string {
  if (!Array.isArray(content)) return '';
  const parts: readonly unknown[] = content;
  return parts
    .flatMap((part) =>
      typeof part === 'object' && part !== null && 'text' in part ? [String(part.text)] : [],
    )
    .join('\n');
}

/** The addresses that an answer links to. */
export function linksOf({ content }: AnyAnswer): string[] {
  if (!Array.isArray(content)) return [];
  const parts: readonly unknown[] = content;
  return parts.flatMap((part) =>
    typeof part === 'object' && part !== null && 'uri' in part ? [String(part.uri)] : [],
  );
}

/** The text of a resource that was read. */
export function resourceText({ contents }: AnyAnswer): string {
  return textOf({ content: contents });
}
