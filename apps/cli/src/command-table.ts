import type { CommandEntry } from './command-context.ts';
import { itemCommands } from './item-commands.ts';

/** Every command of `ctx`, in the order of its help. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'replay',
    summary: 'replay recorded sessions under policies and compare cost and evidence',
    load: async () => (await import('./commands/window/replay.ts')).replayCommand,
  },
  {
    name: 'cache-lint',
    summary: 'say where requests lost the prompt cache, why, and what that cost',
    load: async () => (await import('./commands/window/cache-lint.ts')).cacheLintCommand,
  },
  {
    name: 'import',
    summary: 'import transcripts of agents into the store',
    load: async () => (await import('./commands/session/import.ts')).importCommand,
  },
  {
    name: 'sessions',
    summary: 'list the sessions of the store',
    load: async () => (await import('./commands/session/sessions.ts')).sessionsCommand,
  },
  {
    name: 'show',
    summary: 'show one session and its log',
    load: async () => (await import('./commands/session/show.ts')).showCommand,
  },
  {
    name: 'outputs',
    summary: 'list what tools returned',
    load: async () => (await import('./commands/output/outputs.ts')).outputsCommand,
  },
  {
    name: 'search',
    summary: 'search arguments and results of all tool calls',
    load: async () => (await import('./commands/output/search.ts')).searchCommand,
  },
  {
    name: 'read',
    summary: 'read a stored tool output: whole, by lines, by pattern, by path',
    load: async () => (await import('./commands/output/read.ts')).readCommand,
  },
  {
    name: 'stats',
    summary: 'count what the store holds',
    load: async () => (await import('./commands/session/stats.ts')).statsCommand,
  },
  {
    name: 'status',
    summary: 'show where the tokens of a session go, what is kept, and what is due',
    load: async () => (await import('./commands/window/status.ts')).statusCommand,
  },
  {
    name: 'top',
    summary: 'watch the window of a session live',
    load: async () => (await import('./commands/window/top.ts')).topCommand,
  },
  {
    name: 'facts',
    summary: 'list, add, recall and forget facts of sessions and agents',
    load: async () => (await import('./commands/item/facts.ts')).factsCommand,
  },
  {
    name: 'remember',
    summary: 'keep a fact for an agent',
    load: async () => (await import('./commands/item/memory.ts')).rememberCommand,
  },
  {
    name: 'recall',
    summary: 'find facts of an agent by words',
    load: async () => (await import('./commands/item/memory.ts')).recallCommand,
  },
  {
    name: 'forget',
    summary: 'destroy a fact wherever it stands',
    load: async () => (await import('./commands/item/memory.ts')).forgetCommand,
  },
  {
    name: 'tasks',
    summary: 'list the tasks of a session, or change one',
    load: async () => (await import('./commands/session/tasks.ts')).tasksCommand,
  },
  {
    name: 'compact',
    summary: "compact a session's document, or undo that",
    load: async () => (await import('./commands/window/compact.ts')).compactCommand,
  },
  {
    name: 'document',
    summary: "print a session's document as JSON, or take one in",
    load: async () => (await import('./commands/session/document.ts')).documentCommand,
  },
  ...itemCommands,
  {
    name: 'flash-save',
    summary: 'keep a checkpoint of an agent, and archive what is cold',
    load: async () => (await import('./commands/checkpoint/flash-save.ts')).flashSaveCommand,
  },
  {
    name: 'checkpoints',
    summary: 'list the checkpoints of an agent or a session',
    load: async () => (await import('./commands/checkpoint/checkpoints.ts')).checkpointsCommand,
  },
  {
    name: 'restore',
    summary: 'bring an agent and its session back to a checkpoint',
    load: async () => (await import('./commands/checkpoint/restore.ts')).restoreCommand,
  },
  {
    name: 'fork',
    summary: 'begin another session from a checkpoint',
    load: async () => (await import('./commands/session/fork.ts')).forkCommand,
  },
  {
    name: 'diff',
    summary: 'say what changed since a checkpoint, or between two requests',
    load: async () => (await import('./commands/checkpoint/diff.ts')).diffCommand,
  },
  {
    name: 'fit',
    summary: 'make one conversation fit a token budget',
    load: async () => (await import('./commands/window/fit.ts')).fitCommand,
  },
  {
    name: 'why',
    summary: 'say why each part of a request is or is not in the window',
    load: async () => (await import('./commands/window/why.ts')).whyCommand,
  },
  {
    name: 'up',
    summary: 'serve the store over HTTP and WebSocket on this machine',
    load: async () => (await import('./commands/server/up.ts')).upCommand,
  },
  {
    name: 'mcp',
    summary: 'serve the store over the Model Context Protocol, on stdio',
    load: async () => (await import('./commands/server/mcp.ts')).mcpCommand,
  },
  {
    name: 'init',
    summary: 'install the hooks and the status line of ctx in Claude Code, or take them out',
    load: async () => (await import('./commands/server/init.ts')).initCommand,
  },
  {
    name: 'hook',
    summary: 'answer one hook of Claude Code',
    load: async () => (await import('./commands/server/hook.ts')).hookCommand,
  },
  {
    name: 'statusline',
    summary: 'print one line about the context of a session',
    load: async () => (await import('./commands/window/statusline.ts')).statuslineCommand,
  },
  {
    name: 'keys',
    summary: 'make, list and revoke keys of the server',
    load: async () => (await import('./commands/server/keys.ts')).keysCommand,
  },
  {
    name: 'export',
    summary: 'write an imported session as a transcript again',
    load: async () => (await import('./commands/session/export.ts')).exportCommand,
  },
  {
    name: 'migrate',
    summary: 'copy one store into another and compare them',
    load: async () => (await import('./commands/store/migrate.ts')).migrateCommand,
  },
  {
    name: 'conform',
    summary: 'run the conformance kit against a store backend',
    load: async () => (await import('./commands/store/conform.ts')).conformCommand,
  },
  {
    name: 'verify',
    summary: 'check every record of a store, and put right what can be',
    load: async () => (await import('./commands/store/verify.ts')).verifyCommand,
  },
  {
    name: 'purge',
    summary: 'destroy sessions, old records or a tenant so that no byte is left',
    load: async () => (await import('./commands/store/purge.ts')).purgeCommand,
  },
  {
    name: 'retention',
    summary: 'say how long outputs and checkpoints stay, and let go the rest',
    load: async () => (await import('./commands/store/retention.ts')).retentionCommand,
  },
  {
    name: 'postgres',
    summary: 'spread a store on PostgreSQL over machines, or have the server keep tenants apart',
    load: async () => (await import('./commands/store/postgres.ts')).postgresCommand,
  },
  {
    name: 'config',
    summary: 'show what is set and who set it, or set it',
    load: async () => (await import('./commands/store/config.ts')).configCommand,
  },
  {
    name: 'doctor',
    summary: 'check this machine and the store',
    load: async () => (await import('./commands/store/doctor.ts')).doctorCommand,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/shell/completion.ts')).completionCommand,
  },
  {
    name: 'schema',
    summary: 'print the JSON schema of what a command answers with --json',
    load: async () => (await import('./commands/shell/schema.ts')).schemaCommand,
  },
];
