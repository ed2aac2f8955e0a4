import { countText, timeText } from '@ctx/core/encoding';
import { entryOf } from '@ctx/server/records';
import type { Command } from 'commander';
import {
  type CommandContext,
  pageEnd,
  sayPageEnd,
  type StoreFlags,
} from '../../command-context.ts';
import { followUp } from '../../follow-up.ts';
import { makeCommand, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { sessionsAnswerSchema } from '../../schemas/session.ts';
import { withStore } from '../../store/open-store-url.ts';

interface SessionsFlags extends StoreFlags {
  readonly limit: number;
  readonly after?: string;
}

/** Whether a session is no conversation: `ctx fit` keeps under its id what left one. */
function isOfFit({ id, title = '' }: { readonly id: string; readonly title?: string }): boolean {
  return id.startsWith('fit-') && title.startsWith('fit of ');
}

async function runSessions(context: CommandContext, flags: SessionsFlags): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const { limit, after } = flags;
    const page = await store.sessions.list({ limit, ...(after === undefined ? {} : { after }) });
    if (flags.json === true) {
      const sessions = page.entries.map(entryOf.session);
      await context.json(sessionsAnswerSchema, { store: url.text, sessions, ...pageEnd(page) });
      return;
    }
    const columns = [
      { title: 'session', isWhole: true },
      { title: 'last activity' },
      { title: 'title', isFlexible: true },
    ];
    const talks = page.entries.filter((session) => !isOfFit(session));
    const rows = talks.map(({ id, updatedAt, title = '' }) => [id, timeText(updatedAt), title]);
    const left = page.entries.length - rows.length;
    if (rows.length > 0) await context.table(columns, rows);
    else if (left === 0) {
      const command = `${followUp(context.host, ['import'])} <transcript>`;
      await context.say(`No sessions in ${url.text}. \`${command}\` adds some.`);
    }
    if (left > 0) {
      const sessions = left === 1 ? 'session' : 'sessions';
      await context.say(`${countText(left)} ${sessions} of ctx fit left out: --json lists all.`);
    }
    await sayPageEnd(context, page);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'sessions',
    summary: 'List the sessions of the store, newest activity first.',
    examples: ['ctx sessions', 'ctx sessions --store fs:./data --limit 10 --json'],
  });
  return withPageFlags(withStoreFlag(command), 50).action((flags: SessionsFlags) =>
    runSessions(context, flags),
  );
}
