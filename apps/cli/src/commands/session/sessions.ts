import { entryOf } from '@ctx/server/schemas';
import type { Command } from 'commander';
import {
  type CommandContext,
  type StoreFlags,
  writeErr,
  writeJson,
  writeRendered,
} from '../../command-context.ts';
import { followUp } from '../../follow-up.ts';
import { makeCommand, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { sessionsAnswerSchema } from '../../schemas/session/sessions.ts';
import { withStore } from '../../store/open-store-url.ts';
import { countText, timeText } from '../../terminal/render.ts';
import { renderTable } from '../../terminal/render-table.ts';

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
    const next = page.next === undefined ? {} : { next: page.next };
    if (flags.json === true) {
      const sessions = page.entries.map(entryOf.session);
      await writeJson(context, sessionsAnswerSchema, { store: url.text, sessions, ...next });
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
    if (rows.length > 0) await writeRendered(context, renderTable(context, columns, rows));
    else if (left === 0) {
      const command = `${followUp(context.host, ['import'])} <transcript>`;
      await writeErr(context, `No sessions in ${url.text}. \`${command}\` adds some.`);
    }
    if (left > 0) {
      const sessions = left === 1 ? 'session' : 'sessions';
      await writeErr(
        context,
        `${countText(left)} ${sessions} of ctx fit left out: --json lists all.`,
      );
    }
    if (page.next !== undefined) await writeErr(context, `More: --after ${page.next}`);
  });
}

/** `ctx sessions` */
export function sessionsCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'sessions',
    summary: 'List the sessions of the store, newest activity first.',
    examples: ['ctx sessions', 'ctx sessions --store fs:./data --limit 10 --json'],
  });
  return withPageFlags(withStoreFlag(command), 50).action((flags: SessionsFlags) =>
    runSessions(context, flags),
  );
}
