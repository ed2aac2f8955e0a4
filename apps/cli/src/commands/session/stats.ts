import { bytesText, countText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import type { Command } from 'commander';
import { type CommandContext, checkNotStopped, type StoreFlags } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type StatsAnswer, statsAnswerSchema } from '../../schemas/session.ts';
import { withStore } from '../../store/open-store-url.ts';

async function sessionIds(store: ContextStore, only: string | undefined): Promise<string[]> {
  if (only !== undefined) return [(await findSession(store, only)).id];
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await store.sessions.list({
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    });
    ids.push(...page.entries.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return ids;
}

async function countStore(
  context: CommandContext,
  store: ContextStore,
  only: string | undefined,
): Promise<Omit<StatsAnswer, 'store'>> {
  const ids = await sessionIds(store, only);
  let events = 0;
  let eventTokens = 0;
  for (const id of ids) {
    checkNotStopped(context, 'counting');
    const tally = await store.events.tally(id);
    events += tally.events;
    eventTokens += tally.tokens;
  }
  const [id] = ids;
  const one = only === undefined || id === undefined ? {} : { sessionId: id };
  const { outputs, bytes, tokens } = await store.outputs.tally(one);
  return {
    backend: store.backendName,
    sessions: ids.length,
    events,
    eventTokens,
    outputs,
    outputBytes: bytes,
    outputTokens: tokens,
  };
}

async function runStats(
  context: CommandContext,
  sessionId: string | undefined,
  flags: StoreFlags,
): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const answer = { store: url.text, ...(await countStore(context, store, sessionId)) };
    if (flags.json === true) return context.json(statsAnswerSchema, answer);
    const columns = [
      { title: 'what' },
      { title: 'count', align: 'right' },
      { title: 'tokens', align: 'right' },
      { title: 'size', align: 'right' },
    ] as const;
    const rows = [
      ['sessions', countText(answer.sessions), '', ''],
      ['log entries', countText(answer.events), countText(answer.eventTokens), ''],
      [
        'tool outputs',
        countText(answer.outputs),
        countText(answer.outputTokens),
        bytesText(answer.outputBytes),
      ],
    ];
    await context.print(`${url.text} (${answer.backend})
`);
    await context.table(columns, rows);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'stats',
    summary: 'Count what the store or one session holds. Reads stored counts only.',
    examples: ['ctx stats', 'ctx stats <session> --json'],
  }).argument('[session]', 'id of a session, or its first characters');
  return withStoreFlag(command).action((sessionId: string | undefined, flags: StoreFlags) =>
    runStats(context, sessionId, flags),
  );
}
