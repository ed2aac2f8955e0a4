import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { runFacts } from './facts.ts';

interface MemoryFlags extends StoreFlags {
  readonly agent?: string;
  readonly session?: string;
  readonly pin?: boolean;
  readonly yes?: boolean;
  readonly limit?: number;
}

const agentMeaning = 'the agent (default: that of the session, else default)';

/** `ctx remember` */
export function rememberCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'remember',
    summary: 'Keep a fact for an agent, or in a session. Short for ctx facts --add.',
    examples: ["ctx remember 'Deploys run on Fridays only'", "ctx remember 'Use pnpm' --pin"],
  })
    .argument('<fact>', 'one sentence')
    .option('--session <id>', 'keep it in this session only')
    .option('--agent <id>', agentMeaning)
    .option('--pin', 'never merged with another');
  return withStoreFlag(command).action((fact: string, flags: MemoryFlags) =>
    runFacts(context, flags.session, { ...flags, add: fact, limit: 0 }),
  );
}

/** `ctx recall` */
export function recallCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'recall',
    summary: 'Find facts of an agent by words, best first. Short for ctx facts --recall.',
    examples: ["ctx recall 'when do we deploy?'", 'ctx recall deploy --agent ada --limit 3'],
  })
    .argument('<query...>', 'words, or a question')
    .option('--agent <id>', agentMeaning)
    .option('--limit <count>', 'most facts', wholeNumber(1, 1000), 10);
  return withStoreFlag(command).action((query: string[], flags: MemoryFlags) =>
    runFacts(context, undefined, { ...flags, recall: query.join(' '), limit: flags.limit ?? 10 }),
  );
}

/** `ctx forget` */
export function forgetCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'forget',
    summary:
      'Destroy a fact in an agent, its sessions, compactions and checkpoints. Short for ctx facts --forget.',
    examples: ["ctx forget 'Deploys run on Fridays only'"],
  })
    .argument('<fact>', 'the fact, word for word')
    .option('--session <id>', 'whose agent it is')
    .option('--agent <id>', agentMeaning)
    .option('--yes', 'do not ask; nothing asks where nobody can answer, as in a pipe');
  return withStoreFlag(command).action((fact: string, flags: MemoryFlags) =>
    runFacts(context, flags.session, { ...flags, forget: fact, limit: 0 }),
  );
}
