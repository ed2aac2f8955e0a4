import { readFileSync } from 'node:fs';
import { contextInstructions, registerContext } from '@ctx/agent-adapter/mcp';
import { createRedactor } from '@ctx/redact';
import { tokenCounterFor } from '@ctx/tokens';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { ownFile } from '../../config/own-file.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { mcpAnswerSchema } from '../../schemas/server.ts';
import { withStore } from '../../store/open-store-url.ts';

interface McpFlags extends StoreFlags {
  readonly session?: string;
  readonly agent?: string;
  readonly readOnly?: boolean;
}

function versionOfPackage(): string {
  const place = ownFile('package.json');
  const manifest: unknown = JSON.parse(readFileSync(place, 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : 'unknown';
}

function newServer(): McpServer {
  const told = { instructions: contextInstructions };
  return new McpServer({ name: 'ctx', version: versionOfPackage() }, told);
}

/** Resolves when the client has gone, or Ctrl-C was pressed. */
function untilGone({ host }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      resolve();
    };
    process.stdin.once('end', done);
    process.stdin.once('close', done);
    host.signal.addEventListener('abort', done, { once: true });
  });
}

async function runMcp(context: CommandContext, flags: McpFlags): Promise<void> {
  const { session, agent, readOnly = false } = flags;
  const use = { create: !readOnly, redactor: createRedactor(), tokenCounter: tokenCounterFor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const scope = {
      store,
      ResourceTemplate,
      canWrite: !readOnly,
      ...(session === undefined ? {} : { sessionId: session }),
      ...(agent === undefined ? {} : { agentId: agent }),
    };
    if (flags.json === true) {
      const offered = registerContext(newServer(), scope);
      const place = session === undefined ? {} : { session };
      const answer = { store: url.text, ...place, ...offered };
      await context.json(mcpAnswerSchema, answer);
      return;
    }
    const gone = untilGone(context);
    const served = serveStdio(() => {
      const server = newServer();
      registerContext(server, scope);
      return server;
    });
    // Standard output belongs to the protocol.
    if (context.host.err.isTty) await context.say(`serving ${url.text} over stdio`);
    await gone;
    await served.close();
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'mcp',
    summary: 'Serve the store to a client of the Model Context Protocol over stdio.',
    examples: ['ctx mcp', 'ctx mcp --session 0f3a --agent ada', 'ctx mcp --read-only --json'],
  })
    .option('--session <id>', 'only what this session stored; default: all sessions')
    .option('--agent <id>', 'whose facts: an agent, or @user/<id> (default: default)')
    .option('--read-only', 'nothing can be remembered or saved');
  return withStoreFlag(command).action((flags: McpFlags) => runMcp(context, flags));
}
