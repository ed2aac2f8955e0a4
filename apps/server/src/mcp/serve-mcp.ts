import { type ContextScope, contextInstructions, registerContext } from '@ctx/agent-adapter/mcp';
import { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { versionOfPackage } from './version-of-package.ts';

/** A request of a client, as it came. */
export interface McpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** The body as it was parsed; undefined where none came. */
  readonly body?: unknown;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Nothing is told of changes here: clients read again. */
const maxSubscriptions = 0;

/**
 * Answers one request of the protocol, of today's revision and of those of 2025. Each request has a server of its own, so that no two
 * clients can be mixed up.
 * What may be seen is in `scope` alone.
 */
export async function serveMcp(
  scope: ContextScope,
  { method, url, headers, body, signal }: McpRequest,
): Promise<Response> {
  const version = versionOfPackage();
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'ctx', version }, { instructions: contextInstructions });
      registerContext(server, { ...scope, ResourceTemplate });
      return server;
    },
    { maxSubscriptions },
  );
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const request = new Request(url, { method, headers, signal, ...text });
  return handler.fetch(request, body === undefined ? {} : { parsedBody: body });
}
