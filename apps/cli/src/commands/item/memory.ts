import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { createMemory, type Embedder, type Memory } from '@ctx/memory';
import { createRedactor } from '@ctx/redact';
import { entryOf } from '@ctx/server/records';
import { type ContextStore, defaultAgentId } from '@ctx/store';
import type { Command } from 'commander';
import { type CommandContext, pageEnd, type StoreFlags } from '../../command-context.ts';
import { type AnsweredFacts, showFacts } from '../../facts/show-facts.ts';
import { findSession } from '../../find-session.ts';
import { loadExport } from '../../items/load-export.ts';
import { momentBefore } from '../../items/moment.ts';
import { makeCommand, wholeNumber, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { factsAnswerSchema } from '../../schemas/item.ts';
import { withStore } from '../../store/open-store-url.ts';

interface MemoryFlags extends StoreFlags {
  readonly agent?: string;
  readonly user?: string;
  readonly session?: string;
  readonly tenant?: boolean;
  readonly embedder?: string;
  readonly pin?: boolean;
  readonly asOf?: number;
  readonly yes?: boolean;
  readonly limit?: number;
  readonly after?: string;
}

/** What a command works with. */
interface Place {
  readonly store: ContextStore;
  readonly memory: Memory;
  readonly flags: MemoryFlags;
}

/** Whose facts: those of the agent `default` unless the flags say otherwise. */
function scopeOf({ agent, user, session, tenant }: MemoryFlags) {
  const isAlone = [user, session, tenant].every((one) => one === undefined);
  return isAlone ? (agent ?? defaultAgentId) : { agent, user, session, tenant };
}

/** The embedder that a module exports. */
async function embedderOf({ host }: CommandContext, { embedder }: MemoryFlags) {
  if (embedder === undefined) return {};
  const found = await loadExport(resolve(host.cwd, embedder), ['default', 'embedder']);
  const isModel = typeof found === 'object' && found !== null && 'doEmbed' in found;
  if (typeof found === 'function' || isModel) return { embedder: found as Embedder }; // Its answers are checked.
  const wanted = '(texts) => vectors, or an EmbeddingModel of the AI SDK';
  throw new CtxError('CTX_USAGE', `${embedder} must export, as default or \`embedder\`, ${wanted}`);
}

function keptOf(
  { fact: { text, scope }, isNew, ended }: Awaited<ReturnType<Memory['add']>>,
  flags: MemoryFlags,
): AnsweredFacts {
  const { [scope]: id = defaultAgentId } = flags;
  const whom = scope === 'tenant' ? 'everybody' : `${scope} ${String(id)}`;
  return { facts: [], kept: { for: whom, text, isNew, ended: ended.map((one) => one.text) } };
}

async function found({ memory }: Place, name: string) {
  const fact = await memory.get(name);
  if (fact === undefined) throw new CtxError('CTX_NOT_FOUND', `there is no fact ${name}`);
  return fact;
}

/** A place that no log has. */
const lastPlace = 999_999_998;

/** Reads the messages of a session: those of its window, or of the one that an imported session would have had. */
async function observed({ store, memory }: Place, name: string): Promise<AnsweredFacts> {
  const { sessionLog } = await import('@ctx/truncation');
  const { playImported } = await import('@ctx/replay');
  const { id: sessionId, updatedAt } = await findSession(store, name);
  const played = await playImported(store, sessionId);
  const range = { from: 0, to: lastPlace };
  const said = await sessionLog(played?.store ?? store, sessionId).messages(range);
  const messages = said.map(({ message }) => message);
  // A record without times was over when it was last written.
  const saidAt = played?.isDated === false ? updatedAt : said.map(({ at }) => at);
  const from = said[0]?.index ?? 0;
  const { kept, refused } = await memory.observe(messages, { sessionId, from, saidAt });
  return {
    session: sessionId,
    facts: kept.map(({ fact }) => entryOf.memoryFact(fact)),
    refused: refused.map(({ fact, reason }) => ({ text: fact.text, reason })),
    messages: messages.length,
    messagesAside: played?.messagesAside ?? 0,
  };
}

interface MemoryCommand {
  readonly summary: string;
  readonly examples: readonly string[];
  /** Names and meaning of what stands after the command. */
  readonly words?: readonly (readonly [string, string])[];
  readonly more?: (command: Command) => Command;
  readonly work: (place: Place, ...words: string[]) => Promise<AnsweredFacts>;
  /** Whether the first fact makes the store. */
  readonly creates?: boolean;
}

const byName = ['<fact>', 'its text, word for word, or its id'] as const;

const commands = {
  memory: {
    summary: 'List long-term facts, including past ones, newest first.',
    examples: ['ctx memory', 'ctx memory --user ada --json'],
    more: (command) => withPageFlags(command, 100),
    work: async ({ memory, flags: { limit = 100, after } }) => {
      const page = await memory.list({ limit, ...(after === undefined ? {} : { after }) });
      return { facts: page.entries.map(entryOf.memoryFact), ...pageEnd(page) };
    },
  },
  recall: {
    summary: 'Find the facts that answer a question, best first.',
    examples: ["ctx recall 'when do we deploy?'", "ctx memory search 'my city' --as-of 2026-01-31"],
    words: [['<query...>', 'words, or a question']],
    more: (command) =>
      command
        .option('--limit <count>', 'facts to show', wholeNumber(1, 1000), 10)
        .option('--as-of <time>', 'facts as of then, such as 30d', momentBefore(Date.now)),
    work: async ({ memory, flags: { limit = 10, asOf } }, ...words) => {
      const request = { limit, ...(asOf === undefined ? {} : { asOf }) };
      const { facts, abstained } = await memory.recall(words.join(' '), request);
      return { facts: facts.map(entryOf.memoryFact), abstained };
    },
  },
  remember: {
    summary: 'Keep a fact. Earlier facts about the same matter end but stay readable.',
    examples: ["ctx remember 'Deploys run on Fridays only'", "ctx remember 'Use pnpm' --pin"],
    words: [['<fact>', 'one sentence']],
    more: (command) => command.option('--pin', 'never merged with another'),
    creates: true,
    work: async ({ memory, flags }, text = '') =>
      keptOf(await memory.add({ text, pinned: flags.pin ?? false }), flags),
  },
  fact: {
    summary: 'Show a fact: who said it, where, and when it held.',
    examples: ["ctx memory show 'Use pnpm'"],
    words: [byName],
    work: async (place, name = '') => ({ facts: [entryOf.memoryFact(await found(place, name))] }),
  },
  history: {
    summary: 'Show what held about the same matter as a fact, oldest first.',
    examples: ["ctx memory history 'I live in Berlin'"],
    words: [byName],
    work: async (place, name = '') => {
      const { id } = await found(place, name);
      return { facts: (await place.memory.history(id)).map(entryOf.memoryFact) };
    },
  },
  correct: {
    summary: 'Replace a fact. The old one stays readable as past.',
    examples: ["ctx memory correct 'I live in Bern' 'I live in Berlin'"],
    words: [byName, ['<text>', 'the corrected fact']],
    work: async ({ memory, flags }, name = '', text = '') =>
      keptOf(await memory.correct(name, { text }), flags),
  },
  forget: {
    summary: 'Destroy a fact, and what sessions, compactions and checkpoints keep of it.',
    examples: ["ctx forget 'Deploys run on Fridays only'"],
    words: [byName],
    more: (command) =>
      command.option('--yes', 'do not ask; without a terminal, as in a pipe, nothing asks'),
    work: async ({ memory }, name = ''): Promise<AnsweredFacts> => ({
      facts: [],
      forgotten: await memory.forget(name),
    }),
  },
  observe: {
    summary: 'Find the facts that the user states in a session, and keep them.',
    examples: ['ctx memory observe 0f3a --user ada'],
    words: [['<name>', 'id of a session, or its first characters']],
    work: observed,
  },
  embed: {
    summary: 'Compute the vector of every fact again, for example after the embedder changed.',
    examples: ['ctx memory embed --embedder ./embedder.mjs'],
    work: async ({ memory }) => ({ facts: [], embedded: await memory.reembed() }),
  },
  export: {
    summary: 'Write every long-term fact as JSON, including past ones, newest first.',
    examples: ['ctx memory export > facts.json', 'ctx memory export --user ada'],
    work: async ({ memory }) => {
      const facts = [];
      let after: string | undefined;
      do {
        const page = await memory.list({ limit: 1000, ...(after === undefined ? {} : { after }) });
        facts.push(...page.entries.map(entryOf.memoryFact));
        after = page.next;
      } while (after !== undefined);
      return { facts };
    },
  },
} as const satisfies Record<string, MemoryCommand>;

/** Asks for confirmation on a terminal; throws `CTX_NOT_ALLOWED` if the user declines. */
async function checkForget({ host }: CommandContext, fact = ''): Promise<void> {
  const question = `Destroy the fact ${JSON.stringify(fact)} wherever it stands, for good?`;
  if ((await host.confirm(question)) !== false) return;
  throw new CtxError('CTX_NOT_ALLOWED', 'nothing was forgotten');
}

/** Makes one of the commands of the memory, by its short name. */
export function memoryCommand(name: keyof typeof commands): (context: CommandContext) => Command {
  const { summary, examples, words = [], more, work, creates }: MemoryCommand = commands[name];
  return (context) => {
    const command = makeCommand({ name, summary, examples });
    for (const [word, meaning] of words) command.argument(word, meaning);
    const scoped = (more?.(command) ?? command)
      .option('--agent <id>', 'facts of this agent (default: default)')
      .option('--user <id>', 'facts of this user')
      .option('--session <id>', 'facts that hold in this session only')
      .option('--tenant', 'facts that hold for the whole tenant')
      .option('--embedder <module>', 'find by meaning: exports (texts) => vectors');
    return withStoreFlag(scoped).action(async () => {
      const flags: MemoryFlags = command.opts();
      if (name === 'forget' && flags.yes !== true) await checkForget(context, command.args[0]);
      const eraseOnClose = name === 'forget';
      const use = { redactor: createRedactor(), eraseOnClose, create: creates === true };
      const degraded: string[] = [];
      await withStore(context, { ...flags, use }, async (store, url) => {
        const memory = createMemory(store, {
          ...{ scope: scopeOf(flags), ...(await embedderOf(context, flags)) },
          onEvent: (event) => {
            if (event.type === 'degraded') degraded.push(`${event.during}: ${String(event.error)}`);
          },
        });
        const given = await work({ store, memory, flags }, ...command.args);
        const answer = { ...given, ...(degraded.length === 0 ? {} : { degraded }) };
        if (flags.json !== true && name !== 'export') return showFacts(context, answer);
        await context.json(factsAnswerSchema, { store: url.text, ...answer });
      });
    });
  };
}
