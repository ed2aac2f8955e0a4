import { pointerUri } from '@ctx/agent-adapter';
import type { Command } from 'commander';
import {
  type CommandContext,
  type StoreFlags,
  writeErr,
  writeJson,
  writeRendered,
} from '../command-context.ts';
import { findSession } from '../find-session.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { renderTable } from '../render-table.ts';
import { pointerEntryOf } from '../schemas/pointer.ts';
import { searchAnswerSchema } from '../schemas/search.ts';
import { outputCells } from './outputs.ts';

interface SearchFlags extends StoreFlags {
  readonly session?: string;
  readonly limit: number;
}

const columns = [
  { title: 'score', align: 'right' },
  { title: 'pointer' },
  { title: 'session' },
  { title: 'tokens', align: 'right' },
  { title: 'lines', align: 'right' },
  { title: 'call', isFlexible: true },
] as const;

async function runSearch(
  context: CommandContext,
  words: readonly string[],
  flags: SearchFlags,
): Promise<void> {
  const text = words.join(' ');
  await withStore(context, flags, async (store, url) => {
    const { limit, session } = flags;
    const sessionId =
      session === undefined ? {} : { sessionId: (await findSession(store, session)).id };
    const hits = await store.outputs.search({ text, limit, ...sessionId });
    if (flags.json === true) {
      const entries = hits.map(({ score, pointer }) => ({
        score,
        output: pointerEntryOf(pointer, pointerUri(pointer.id)),
      }));
      await writeJson(context, searchAnswerSchema, { store: url.text, words: text, hits: entries });
      return;
    }
    const rows = hits.map(({ score, pointer }) => {
      const [uri = '', ...sizes] = outputCells(pointer);
      return [score.toFixed(2), uri, pointer.sessionId, ...sizes];
    });
    if (rows.length > 0) await writeRendered(context, renderTable(context, columns, rows));
    else await writeErr(context, `Nothing found for: ${text}`);
    if (hits.length === limit) await writeErr(context, 'There may be more: raise --limit.');
  });
}

/** `ctx search` */
export function searchCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'search',
    summary: 'Search arguments and results of all tool calls by words, best first.',
    examples: ['ctx search connection refused', 'ctx search timeout --session <session> --json'],
  })
    .argument('<words...>', 'what to look for')
    .option('--session <id>', 'only in this session')
    .option('--limit <count>', 'most answers, up to 1000', wholeNumber(1, 1000), 20);
  return withStoreFlag(command).action((words: string[], flags: SearchFlags) =>
    runSearch(context, words, flags),
  );
}
