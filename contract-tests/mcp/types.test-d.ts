/** Checked by the compiler: what we hand to the libraries of the protocol is what they take, and the other way round. */
import type { ContextManager } from '@ctx/agent-adapter';
import { wrapClient } from '@ctx/agent-adapter/mcp';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { expectTypeOf } from 'vitest';
import type {
  McpServerShape,
  TemplateClass,
} from '../../packages/agent-adapter/src/mcp/host-types.ts';
import type { ClientShape } from '../../packages/agent-adapter/src/mcp/wrap-client.ts';

declare const manager: ContextManager;
declare const client: Client;

// What we accept.
expectTypeOf<Client>().toExtend<ClientShape>();
expectTypeOf<McpServer>().toExtend<McpServerShape<ResourceTemplate>>();
expectTypeOf<typeof ResourceTemplate>().toExtend<TemplateClass<ResourceTemplate>>();

// What we hand over: the client itself, with all that it can.
expectTypeOf(wrapClient(manager, client)).toEqualTypeOf<Client>();
