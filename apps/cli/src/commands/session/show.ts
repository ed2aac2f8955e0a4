import { CtxError, type Message, type SessionEvent } from '@ctx/core';
import { bytesText, countText, countedText, encodeValue, timeText } from '@ctx/core/encoding';
import { entryOf } from '@ctx/server/records';
import type { ContextStore } from '@ctx/store';
import { storedEventOf } from '@ctx/transcripts';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { type ShowAnswer, showAnswerSchema } from '../../schemas/session.ts';
import { withStore } from '../../store/open-store-url.ts';
import { renderTable } from '../../terminal/render-table.ts';

interface ShowFlags extends StoreFlags {
  readonly from: number;
  readonly limit: number;
}

interface ShownSession {
  readonly answer: ShowAnswer;
  readonly events: readonly SessionEvent[];
}

async function readEvents(
  store: ContextStore,
  sessionId: string,
  { from, limit }: ShowFlags,
): Promise<{ events: SessionEvent[]; next?: number }> {
  const events: SessionEvent[] = [];
  for await (const event of store.events.read(sessionId, { from, limit: limit + 1 })) {
    if (events.length === limit) return { events, next: event.sequence };
    events.push(event);
  }
  return { events };
}

async function collect(
  store: ContextStore,
  name: string,
  { flags, url }: { flags: ShowFlags; url: string },
): Promise<ShownSession> {
  const { version: _version, document, ...session } = await findSession(store, name);
  const { events, next } = await readEvents(store, session.id, flags);
  const log = await store.events.tally(session.id);
  const outputs = await store.outputs.tally({ sessionId: session.id });
  const answer: ShowAnswer = {
    store: url,
    session: entryOf.session({ ...session, version: 0 }),
    document,
    totals: {
      events: log.events,
      tokens: log.tokens,
      outputs: outputs.outputs,
      outputBytes: outputs.bytes,
      outputTokens: outputs.tokens,
    },
    events: events.map(entryOf.log),
    ...(next === undefined ? {} : { next }),
  };
  return { answer, events };
}

function textOf({ content }: Message, outputs: ReadonlyMap<number, string>): string {
  const parts = content.map((block, index) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'tool_use') return `→ ${block.name} ${JSON.stringify(block.input)}`;
    if (block.type === 'tool_result') return `← ${outputs.get(index) ?? 'result'}`;
    return `(${block.format})`;
  });
  return parts.join(' ');
}

/** JSON on one line; what a log holds may be anything. */
function shortJson(value: unknown): string {
  return JSON.stringify(encodeValue(value)).slice(0, 2000);
}

function cellsOf({ sequence, type, tokens, payload }: SessionEvent): string[] {
  const stored = storedEventOf(payload);
  const message = stored?.event.message;
  const count = tokens === 0 ? '' : countText(tokens);
  if (stored === undefined || message === undefined) {
    return [String(sequence), type, count, shortJson(stored?.event.extra ?? payload)];
  }
  const outputs = new Map(stored.results.map(({ block, output }) => [block, output]));
  const { lane } = stored.event;
  const who = lane === 'main' ? message.role : `${message.role} (${lane})`;
  return [String(sequence), who, count, textOf(message, outputs).slice(0, 2000)];
}

const columns = [
  { title: '#', align: 'right' },
  { title: 'entry' },
  { title: 'tokens', align: 'right' },
  { title: 'content', isFlexible: true },
] as const;

function headOf({ session, totals }: ShowAnswer): string {
  const lines = [`session   ${session.id}`];
  if (session.title !== undefined) lines.push(`title     ${session.title}`);
  if (session.source !== undefined) lines.push(`source    ${session.source}`);
  lines.push(
    `activity  ${timeText(Date.parse(session.createdAt))} to ${timeText(Date.parse(session.updatedAt))}`,
    `log       ${countedText(totals.events, 'entry', 'entries')}, ${countText(totals.tokens)} tokens`,
    `outputs   ${countText(totals.outputs)}, ${countText(totals.outputTokens)} tokens, ${bytesText(totals.outputBytes)}`,
  );
  return `${lines.join('\n')}\n`;
}

async function runShow(context: CommandContext, name: string, flags: ShowFlags): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const { answer, events } = await collect(store, name, { flags, url: url.text });
    if (flags.json === true) return context.json(showAnswerSchema, answer);
    if (flags.from > 0 && events.length === 0) {
      throw new CtxError(
        'CTX_INVALID_ADDRESS',
        `the log has ${countText(answer.totals.events)} entries`,
      );
    }
    await context.print(headOf(answer));
    if (events.length > 0) {
      await context.draw(`\n${renderTable(context, columns, events.map(cellsOf))}`);
    }
    if (answer.next !== undefined) await context.say(`More: --from ${String(answer.next)}`);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'show',
    summary: 'Show one session: where it came from, what it holds, and its log.',
    examples: [
      'ctx show <session>',
      'ctx show <session> --from 40 --limit 20',
      'ctx show <session> --json',
    ],
  })
    .argument('<session>', 'id of a session, or its first characters')
    .option('--from <number>', 'first log entry, from 0', wholeNumber(0), 0)
    .option('--limit <count>', 'log entries to show, up to 1000', wholeNumber(1, 1000), 50);
  return withStoreFlag(command).action((name: string, flags: ShowFlags) =>
    runShow(context, name, flags),
  );
}
