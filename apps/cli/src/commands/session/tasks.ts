import { CtxError } from '@ctx/core';
import { timeText } from '@ctx/core/encoding';
import { createRedactor } from '@ctx/redact';
import { type Answer, entryOf, type entrySchemas } from '@ctx/server/records';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, shareOf, withStoreFlag } from '../../make-command.ts';
import { tasksAnswerSchema } from '../../schemas/session.ts';
import { withStore } from '../../store/open-store-url.ts';

type TaskEntry = Answer<typeof entrySchemas.task>;

interface TasksFlags extends StoreFlags {
  readonly set?: string;
  readonly status?: string;
  readonly progress?: number;
  readonly description?: string;
}

function changeOf({ status, progress, description }: TasksFlags) {
  return {
    ...(status === undefined ? {} : { status }),
    ...(progress === undefined ? {} : { progress }),
    ...(description === undefined ? {} : { description }),
  };
}

const columns = [
  { title: 'task' },
  { title: 'status' },
  { title: 'progress', align: 'right' },
  { title: 'updated' },
  { title: 'description', isFlexible: true },
] as const;

function cellsOf({ id, status, progress, updatedAt, description }: TaskEntry): string[] {
  const done = progress === undefined ? '' : `${String(Math.round(progress * 100))} %`;
  const at = updatedAt === undefined ? '' : timeText(Date.parse(updatedAt));
  return [id, status, done, at, description];
}

async function runTasks(context: CommandContext, name: string, flags: TasksFlags): Promise<void> {
  const change = changeOf(flags);
  if (flags.set === undefined && Object.keys(change).length > 0) {
    throw new CtxError('CTX_USAGE', 'name the task with --set');
  }
  const use = { redactor: createRedactor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const found = await findSession(store, name);
    const session =
      flags.set === undefined
        ? found
        : await store.sessions.memory(found.id).updateTask({ id: flags.set, ...change });
    const tasks = session.document.active_tasks.map(entryOf.task);
    const answer = { store: url.text, session: session.id, tasks };
    if (flags.json === true) return context.json(tasksAnswerSchema, answer);
    if (tasks.length === 0) await context.say('No tasks.');
    else await context.table(columns, tasks.map(cellsOf));
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'tasks',
    summary: 'List the tasks of a session, or create and change one.',
    examples: [
      'ctx tasks <session>',
      "ctx tasks <session> --set t1 --description 'Port the parser'",
      'ctx tasks <session> --set t1 --status Completed --progress 1',
    ],
  })
    .argument('<session>', 'id of a session, or its first characters')
    .option('--set <id>', 'the task to create or change')
    .option('--status <text>', 'such as Running, Completed, Failed')
    .option('--progress <share>', '0 to 1', shareOf)
    .option('--description <text>', 'what it is about');
  return withStoreFlag(command).action((name: string, flags: TasksFlags) =>
    runTasks(context, name, flags),
  );
}
