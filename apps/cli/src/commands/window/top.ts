import { hostSessionOf } from '@ctx/claude-code';
import { CtxError } from '@ctx/core';
import { topReader } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { topAnswerSchema } from '../../schemas/measure.ts';
import { withStore } from '../../store/open-store-url.ts';
import { renderTop } from '../../top/render-top.ts';

interface TopFlags extends StoreFlags {
  readonly window: number;
  readonly every: number;
  readonly once?: boolean;
}

/** The session that is named, else the one in which something happened last. */
async function sessionId(store: ContextStore, name: string | undefined): Promise<string> {
  if (name !== undefined) return (await findSession(store, name)).id;
  const [newest] = (await store.sessions.list({ limit: 1 })).entries;
  if (newest !== undefined) return newest.id;
  throw new CtxError('CTX_NOT_FOUND', 'there is no session in this store yet');
}

async function runTop(
  context: CommandContext,
  name: string | undefined,
  flags: TopFlags,
): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const reader = topReader(store, {
      id: await sessionId(store, name),
      windowTokens: flags.window,
      usedTokensOf: (session) => hostSessionOf(session).usedTokens,
    });
    const read = async () => ({ store: url.text, ...(await reader.read()) });
    if (flags.json === true) return context.json(topAnswerSchema, await read());
    const { host, hasColor } = context;
    const terminal = flags.once === true ? undefined : await host.terminal?.();
    if (terminal === undefined) {
      const lines = renderTop(await read(), { columns: host.out.columns, hasColor });
      return context.draw(`${lines.join('\n')}\n`);
    }
    const { watchTop } = await import('../../top/watch-top.ts');
    const everyMs = flags.every * 1000;
    await watchTop({ terminal, read, everyMs, hasColor, signal: host.signal });
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'top',
    summary:
      'Watch the window of a session live: fill, segments, tiers, flushes, events. Without a terminal, prints one snapshot and exits.',
    examples: ['ctx top', 'ctx top <session> --window 128000', 'ctx top --json'],
  })
    .argument('[session]', 'id of a session, or its first characters (default: the newest)')
    .option('--window <tokens>', "the model's window", wholeNumber(1000), 200_000)
    .option('--every <seconds>', 'how often to look', wholeNumber(1, 3600), 1)
    .option('--once', 'print one moment and exit, even on a terminal');
  return withStoreFlag(command).action((name: string | undefined, flags: TopFlags) =>
    runTop(context, name, flags),
  );
}
