import type { ItemAction } from '@ctx/store';
import type { CommandEntry, CommandGroup } from './command-context.ts';
import type { memoryCommand } from './commands/item/memory.ts';

type Load = CommandEntry['load'];

/** Loads a command that changes one item. */
function changing(action: ItemAction): Load {
  return async () => ({
    command: (await import('./commands/item/change-item.ts')).changeItemCommand(action),
  });
}

/** Loads a command of the memory, by its short name. */
function ofMemory(name: Parameters<typeof memoryCommand>[0]): Load {
  return async () => ({
    command: (await import('./commands/item/memory.ts')).memoryCommand(name),
  });
}

/** Where each command is, by the name that the help lists. */
const modules = {
  run: () => import('./commands/agent/run.ts'),
  proxy: () => import('./commands/agent/proxy.ts'),
  init: () => import('./commands/server/init.ts'),
  mcp: () => import('./commands/server/mcp.ts'),
  hook: () => import('./commands/server/hook.ts'),
  statusline: () => import('./commands/window/statusline.ts'),
  sessions: () => import('./commands/session/sessions.ts'),
  show: () => import('./commands/session/show.ts'),
  top: () => import('./commands/window/top.ts'),
  status: () => import('./commands/window/status.ts'),
  why: () => import('./commands/window/why.ts'),
  diff: () => import('./commands/checkpoint/diff.ts'),
  search: () => import('./commands/output/search.ts'),
  read: () => import('./commands/output/read.ts'),
  outputs: () => import('./commands/output/outputs.ts'),
  tasks: () => import('./commands/session/tasks.ts'),
  stats: () => import('./commands/session/stats.ts'),
  replay: () => import('./commands/window/replay.ts'),
  compress: () => import('./commands/window/compress.ts'),
  fit: () => import('./commands/window/fit.ts'),
  'cache-lint': () => import('./commands/window/cache-lint.ts'),
  items: () => import('./commands/item/items.ts'),
  'items save': () => import('./commands/item/save.ts'),
  'items show': () => import('./commands/item/item.ts'),
  'items tiers': () => import('./commands/item/tiers.ts'),
  'items pin': changing('pin'),
  'items unpin': changing('unpin'),
  'items touch': changing('touch'),
  'items finish': changing('finish'),
  'items reopen': changing('reopen'),
  'items archive': changing('archive'),
  'items unarchive': changing('unarchive'),
  'items delete': () => import('./commands/session/delete.ts'),
  memory: ofMemory('memory'),
  'memory search': ofMemory('recall'),
  'memory add': ofMemory('remember'),
  'memory show': ofMemory('fact'),
  'memory history': ofMemory('history'),
  'memory correct': ofMemory('correct'),
  'memory forget': ofMemory('forget'),
  'memory observe': ofMemory('observe'),
  'memory embed': ofMemory('embed'),
  'memory export': ofMemory('export'),
  facts: () => import('./commands/item/facts.ts'),
  checkpoints: () => import('./commands/checkpoint/checkpoints.ts'),
  'checkpoints save': () => import('./commands/checkpoint/flash-save.ts'),
  'checkpoints restore': () => import('./commands/checkpoint/restore.ts'),
  'checkpoints fork': () => import('./commands/session/fork.ts'),
  compact: () => import('./commands/window/compact.ts'),
  document: () => import('./commands/session/document.ts'),
  import: () => import('./commands/session/import.ts'),
  export: () => import('./commands/session/export.ts'),
  share: async () => ({ command: (await import('./commands/session/export.ts')).shareCommand }),
  migrate: () => import('./commands/store/migrate.ts'),
  verify: () => import('./commands/store/verify.ts'),
  doctor: () => import('./commands/store/doctor.ts'),
  purge: () => import('./commands/store/purge.ts'),
  retention: () => import('./commands/store/retention.ts'),
  config: () => import('./commands/store/config.ts'),
  postgres: () => import('./commands/store/postgres.ts'),
  conform: () => import('./commands/store/conform.ts'),
  up: () => import('./commands/server/up.ts'),
  keys: () => import('./commands/server/keys.ts'),
  completion: () => import('./commands/shell/completion.ts'),
  schema: () => import('./commands/shell/schema.ts'),
} satisfies Record<string, Load>;

type ListedName = keyof typeof modules;

/** Short names that are not the last word of the listed one. */
const shortNames: Partial<Record<ListedName, string>> = {
  'items show': 'item',
  'memory search': 'recall',
  'memory add': 'remember',
  'memory show': 'fact',
  'memory export': 'export-facts',
  'checkpoints save': 'flash-save',
};

/** The group of each command and what it does in one line, in the order of the help. */
const summaries: Readonly<Record<ListedName, readonly [CommandGroup, string]>> = {
  run: ['agent', 'run an agent behind a proxy that keeps its requests small'],
  proxy: ['agent', 'serve a proxy that keeps the requests of any agent small'],
  init: ['agent', 'install the hooks and the status line of ctx in Claude Code, or remove them'],
  mcp: ['agent', 'serve the store over the Model Context Protocol, over stdio'],
  hook: ['agent', 'answer one hook of Claude Code'],
  statusline: ['agent', 'print one line about the context of a session'],
  sessions: ['look', 'list the sessions of the store'],
  show: ['look', 'show one session and its log'],
  top: ['look', 'watch the window of a session live'],
  status: ['look', 'show where the tokens of a session go, what is kept, and what is due'],
  why: ['look', 'explain why each part of a request is or is not in the window'],
  diff: ['look', 'show what changed since a checkpoint, or between two requests'],
  search: ['look', 'search the arguments and results of all tool calls'],
  read: ['look', 'read a stored tool output: whole, by lines, by pattern, by path'],
  outputs: ['look', 'list stored tool outputs'],
  tasks: ['look', 'list the tasks of a session, or change one'],
  stats: ['look', 'count what the store holds'],
  replay: ['measure', 'replay recorded sessions and compare what each policy costs and keeps'],
  compress: ['measure', 'shorten one output by its kind: logs, tests, JSON, diffs, lists'],
  fit: ['measure', 'make one conversation fit a token budget'],
  'cache-lint': ['measure', 'find where requests missed the prompt cache, why, and what that cost'],
  items: ['memory', 'list or search the items of an agent'],
  'items save': ['memory', 'save an item for an agent'],
  'items show': ['memory', 'show one item and why it ranks where it does'],
  'items tiers': ['memory', 'show the hot, warm and cold items of an agent'],
  'items pin': ['memory', 'keep an item hot'],
  'items unpin': ['memory', 'let a pinned item fade again'],
  'items touch': ['memory', 'count a read of an item'],
  'items finish': ['memory', 'mark an item as finished: it stays cold'],
  'items reopen': ['memory', 'mark a finished item as open again'],
  'items archive': ['memory', 'move an item out of the tiers'],
  'items unarchive': ['memory', 'move an archived item back'],
  'items delete': ['memory', 'delete an item for good'],
  memory: ['memory', 'list long-term facts, which outlive their session'],
  'memory search': ['memory', 'find the facts that answer a question, also as of an earlier time'],
  'memory add': ['memory', 'keep a fact'],
  'memory show': ['memory', 'show a fact, its source and when it held'],
  'memory history': ['memory', 'show what held about the matter of a fact'],
  'memory correct': ['memory', 'replace a fact'],
  'memory forget': ['memory', 'delete a fact everywhere it stands'],
  'memory observe': ['memory', 'read facts out of what the user said in a session'],
  'memory embed': ['memory', 'give every fact a vector of an embedder'],
  'memory export': ['memory', 'write every fact as JSON, past ones too'],
  facts: ['memory', "list or add the facts in a session's document"],
  checkpoints: ['memory', 'list the checkpoints of an agent or a session'],
  'checkpoints save': ['memory', 'save a checkpoint of an agent and archive its cold items'],
  'checkpoints restore': ['memory', 'restore an agent and its session to a checkpoint'],
  'checkpoints fork': ['memory', 'start another session from a checkpoint'],
  compact: ['memory', "compact a session's document, or undo a compaction"],
  document: ['memory', "print a session's document as JSON, or import one"],
  import: ['store', 'import transcripts of agents into the store'],
  export: ['store', 'write an imported session as a transcript again'],
  share: ['store', 'write a session or a request as one HTML file'],
  migrate: ['store', 'copy one store into another and compare them'],
  verify: ['store', 'check every record of a store, and repair what can be repaired'],
  doctor: ['store', 'check this machine and the store'],
  purge: ['store', 'destroy sessions, old records or a tenant so that no byte is left'],
  retention: ['store', 'set how long outputs and checkpoints are kept, and delete older ones'],
  config: ['store', 'show each setting and where it comes from, or change one'],
  postgres: ['store', 'spread a store on PostgreSQL over machines, or lock its tenants apart'],
  conform: ['store', 'run the conformance kit against a store backend'],
  up: ['serve', 'serve the store over HTTP and WebSocket on this machine'],
  keys: ['serve', 'create, list and revoke API keys of the server'],
  completion: ['shell', 'print a completion script for bash, zsh or fish'],
  schema: ['shell', 'print the JSON schema of what a command answers with --json'],
};

function entryOf(listed: ListedName): CommandEntry {
  const [group, summary] = summaries[listed];
  const name = shortNames[listed] ?? listed.split(' ').at(-1) ?? listed;
  const entry = { name, group, summary, load: modules[listed] };
  return listed.includes(' ') ? { ...entry, as: listed } : entry;
}

/** Every command of `ctx`, in the order of its help. */
export const commandTable: readonly CommandEntry[] = Object.keys(summaries).map(
  (listed) => entryOf(listed as ListedName), // The keys of that table are the names.
);
