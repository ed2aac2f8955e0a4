import { countText } from '@ctx/core/encoding';
import { type ContextPointer, CtxError } from '@ctx/core';
import { entryOf } from '@ctx/server/records';
import type { ContextStore, Page } from '@ctx/store';
import { pointerUri } from '@ctx/truncation';
import type { Command } from 'commander';
import {
  type CommandContext,
  pageEnd,
  sayPageEnd,
  type StoreFlags,
} from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { outputsAnswerSchema } from '../../schemas/output.ts';
import { withStore } from '../../store/open-store-url.ts';

interface OutputsFlags extends StoreFlags {
  readonly query?: string;
  readonly task?: string;
  readonly limit: number;
  readonly after?: string;
}

/** The outputs of the newest sessions, up to the limit. */
async function newestOutputs(store: ContextStore, limit: number): Promise<Page<ContextPointer>> {
  const found: ContextPointer[] = [];
  const unreadable: string[] = [];
  const { entries } = await store.sessions.list({ limit: 100 });
  for (const { id: sessionId } of entries) {
    if (found.length >= limit) break;
    const page = await store.outputs.pointers({ sessionId, limit: limit - found.length });
    found.push(...page.entries);
    unreadable.push(...(page.unreadable ?? []));
  }
  return { entries: found, ...(unreadable.length > 0 && { unreadable }) };
}

async function pageOf(
  store: ContextStore,
  sessionId: string | undefined,
  { query, task, limit, after }: OutputsFlags,
): Promise<Page<ContextPointer>> {
  if (sessionId === undefined) {
    if (query !== undefined || task !== undefined || after !== undefined) {
      throw new CtxError('CTX_USAGE', '--query, --task and --after need a session');
    }
    return newestOutputs(store, limit);
  }
  if (query !== undefined && task !== undefined) {
    throw new CtxError('CTX_USAGE', 'give --query or --task, not both');
  }
  const { id } = await findSession(store, sessionId);
  return store.outputs.pointers({
    sessionId: id,
    limit,
    ...(query === undefined ? {} : { queryId: query }),
    ...(task === undefined ? {} : { taskId: task }),
    ...(after === undefined ? {} : { after }),
  });
}

const columns = [
  { title: 'pointer', isWhole: true },
  { title: 'tokens', align: 'right' },
  { title: 'lines', align: 'right' },
  { title: 'call', isFlexible: true },
] as const;

/** The cells of an output in a table. */
export function outputCells(pointer: ContextPointer): string[] {
  const { id, tokens, lines, toolDescription } = pointer;
  return [pointerUri(id), countText(tokens), countText(lines), toolDescription];
}

async function runOutputs(
  context: CommandContext,
  sessionId: string | undefined,
  flags: OutputsFlags,
): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const page = await pageOf(store, sessionId, flags);
    if (flags.json === true) {
      const outputs = page.entries.map((entry) => entryOf.pointer(entry, pointerUri(entry.id)));
      await context.json(outputsAnswerSchema, { store: url.text, outputs, ...pageEnd(page) });
      return;
    }
    const rows = page.entries.map(outputCells);
    if (rows.length > 0) await context.table(columns, rows);
    else await context.say(`No tool outputs in ${sessionId ?? url.text}.`);
    await sayPageEnd(context, page);
    if (page.next === undefined && sessionId === undefined && rows.length === flags.limit)
      await context.say('There may be more: raise --limit.');
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'outputs',
    summary:
      'List stored tool outputs, oldest first; without a session, those of the newest sessions.',
    examples: [
      'ctx outputs',
      'ctx outputs <session> --query turn-2',
      'ctx outputs <session> --limit 20 --json',
    ],
  })
    .argument('[session]', 'id of a session, or its first characters')
    .option('--query <id>', 'only outputs of this query, such as turn-1')
    .option('--task <id>', 'only outputs of this task');
  return withPageFlags(withStoreFlag(command), 50).action(
    (sessionId: string | undefined, flags: OutputsFlags) => runOutputs(context, sessionId, flags),
  );
}
