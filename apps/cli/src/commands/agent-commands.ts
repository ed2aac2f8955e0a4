import type { CommandEntry } from '../command-context.ts';

/** The commands that stand beside an agent. */
export const agentCommands: readonly CommandEntry[] = [
  {
    name: 'run',
    group: 'agent',
    summary: 'run an agent with a proxy of its own that keeps its requests small',
    load: async () => (await import('./agent/run.ts')).runCommand,
  },
  {
    name: 'proxy',
    group: 'agent',
    summary: 'serve a proxy that keeps the requests of any agent small',
    load: async () => (await import('./agent/proxy.ts')).proxyCommand,
  },
  {
    name: 'mcp',
    group: 'agent',
    summary: 'serve the store over the Model Context Protocol, on stdio',
    load: async () => (await import('./server/mcp.ts')).mcpCommand,
  },
  {
    name: 'init',
    group: 'agent',
    summary: 'install the hooks and the status line of ctx in Claude Code, or take them out',
    load: async () => (await import('./server/init.ts')).initCommand,
  },
  {
    name: 'hook',
    group: 'agent',
    summary: 'answer one hook of Claude Code',
    load: async () => (await import('./server/hook.ts')).hookCommand,
  },
  {
    name: 'statusline',
    group: 'agent',
    summary: 'print one line about the context of a session',
    load: async () => (await import('./window/statusline.ts')).statuslineCommand,
  },
];
