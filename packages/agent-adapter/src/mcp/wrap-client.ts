import { type IdSource, randomIds } from '@ctx/core';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { offloadResult } from './offload-result.ts';

/** What of a client of MCP is needed, of versions 1 and 2. */
export interface ClientShape {
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<object>;
  listTools(): Promise<{ tools: object[] }>;
}

/** How results of a client are put away. */
export interface WrapClientOptions {
  /**
   * What becomes of `structuredContent`. `keep`: it stays whole, as tools with an `outputSchema` need. `drop`: the schema leaves the
   * list of tools, and the content goes where the text beside it was put away. Default `keep`.
   */
  readonly structured?: 'keep' | 'drop';
  /** Names calls, which have no id of their own in this protocol. Default: random. */
  readonly ids?: IdSource;
}

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
}

function isCall(params: unknown): params is CallParams {
  return typeof params === 'object' && params !== null && 'name' in params;
}

function withoutSchema(tool: unknown): unknown {
  if (typeof tool !== 'object' || tool === null) return tool;
  const { outputSchema: _outputSchema, ...rest } = tool as { readonly outputSchema?: unknown };
  return rest;
}

type Method = (...args: readonly unknown[]) => Promise<object>;

function callTool(manager: ContextManager, call: Method, options: WrapClientOptions): Method {
  const { structured = 'keep', ids = randomIds() } = options;
  return async (...given) => {
    const [params] = given;
    if (!isCall(params)) return call(...given);
    const id = `mcp-${ids()}`;
    const { name, arguments: input = {} } = params;
    let result: object;
    try {
      result = await call(...given);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      await manager.recordToolOutput({ id, name, input }, text, { failed: true });
      throw error;
    }
    return offloadResult(manager, { id, name, input }, { result, structured });
  };
}

function listTools(list: Method, { structured = 'keep' }: WrapClientOptions): Method {
  return async (...given) => {
    const answer = await list(...given);
    if (structured === 'keep' || !('tools' in answer) || !Array.isArray(answer.tools))
      return answer;
    return { ...answer, tools: answer.tools.map(withoutSchema) };
  };
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

/**
 * A client of MCP whose results are stored, large texts and embedded resources leaving a preview and a pointer.
 * All else is the client itself, which is not changed; the error of a tool is recorded and goes on; images stay. Offer
 * `manager.tools()` beside the tools of the server, so that the model can read what left.
 */
export function wrapClient<Client extends ClientShape>(
  manager: ContextManager,
  client: Client,
  options: WrapClientOptions = {},
): Client {
  return new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (!isMethod(member)) return member;
      const bound: Method = (...args) => Reflect.apply(member, target, args);
      if (name === 'callTool') return callTool(manager, bound, options);
      return name === 'listTools' ? listTools(bound, options) : bound;
    },
  });
}
