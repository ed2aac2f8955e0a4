import { statuslineOf } from '@ctx/claude-code';
import { planSessionCompaction } from '@ctx/compactor';
import { countedText, countsText, countText, percentText, timeText } from '@ctx/core/encoding';
import { measureContext } from '@ctx/replay';
import { entryOf } from '@ctx/server/records';
import type { Session } from '@ctx/store';
import { type ContextStore, defaultAgentId, entryTokens, sessionExtras } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import { importMarkOf } from '@ctx/transcripts/import';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { type StatusAnswer, statusAnswerSchema } from '../../schemas/window.ts';
import { contextText } from '../../status/render-context.ts';
import { withStore } from '../../store/open-store-url.ts';

type Remembered = Pick<
  StatusAnswer,
  'history' | 'summary' | 'facts' | 'tasks' | 'plans' | 'toolCalls' | 'tokenUsage' | 'workspace'
>;

function rememberedIn({ document }: Session, { countTokens }: ContextStore): Remembered {
  const extras = sessionExtras(document);
  const entries = [...document.recent_history, ...extras.pinned_history];
  const tasks = document.active_tasks.map(entryOf.task);
  const running = tasks.filter(({ isOver }) => !isOver).length;
  const { total_calls: total, failures, by_tool: byTool } = document.tool_stats;
  const { total_input: input, total_output: output } = document.token_usage;
  const workspace = document.last_known_environment['workspace'];
  return {
    history: {
      entries: document.recent_history.length,
      tokens: entries.reduce((sum, entry) => sum + entryTokens(entry, countTokens), 0),
      pinned: extras.pinned_history.length,
    },
    summary: {
      tokens: countTokens(document.long_term_summary),
      trust: extras.summary_trust,
    },
    facts: {
      count: document.facts.length,
      pinned: extras.fact_notes.filter(({ pinned }) => pinned === true).length,
      superseded: extras.superseded_facts.length,
    },
    tasks: { running, over: tasks.length - running },
    plans: extras.plans.length,
    toolCalls: { total, failures, byTool },
    tokenUsage: { input, output },
    ...(typeof workspace === 'string' ? { workspace } : {}),
  };
}

/** How full the window is, where hooks or an agent told. */
function windowOf(told: Awaited<ReturnType<typeof statuslineOf>>): Pick<StatusAnswer, 'window'> {
  const { usedTokens, windowTokens, offloaded, savedTokens } = told;
  if (usedTokens === undefined) return {};
  const size = windowTokens === undefined ? {} : { windowTokens };
  return { window: { usedTokens, ...size, offloaded, savedTokens } };
}

/** Where the tokens go, in the window and beside it. */
async function tokensOf(
  store: ContextStore,
  session: Session,
  asked: { readonly windowTokens?: number; readonly model?: string },
): Promise<Pick<StatusAnswer, 'context' | 'tiers'>> {
  const [context, { tiers }] = await Promise.all([
    measureContext(store, { sessionId: session.id, ...asked }),
    store.items.stats(session.agentId ?? defaultAgentId),
  ]);
  const known = tiers.map(({ tier, items, tokens }) => ({ tier, items, tokens }));
  return { ...(context === undefined ? {} : { context }), tiers: known };
}

async function statusOf(
  store: ContextStore,
  session: Session,
  { window: windowTokens }: StatusFlags,
): Promise<Omit<StatusAnswer, 'store'>> {
  const { countTokens, clock } = store;
  const due = planSessionCompaction(session.document, { countTokens, now: clock() });
  const { entries } = await store.compactions.list(session.id, { limit: 1 });
  const [last] = entries;
  const { document: _document, ...summary } = session;
  const mark = importMarkOf(session);
  const { events, tokens } = await store.events.tally(session.id);
  const told = await statuslineOf(JSON.stringify({ session_id: session.id }), store);
  const { model } = told;
  const asked = {
    ...(windowTokens === undefined ? {} : { windowTokens }),
    ...(model === undefined ? {} : { model }),
  };
  return {
    session: entryOf.session(summary),
    log: { events, tokens },
    ...windowOf(told),
    ...(await tokensOf(store, session, asked)),
    ...(mark === undefined ? {} : { imported: { path: mark.path, format: mark.format } }),
    ...rememberedIn(session, store),
    ...(due === undefined ? {} : { compactionDue: due.trigger }),
    ...(last === undefined ? {} : { lastCompaction: entryOf.compaction(last) }),
  };
}

type Line = readonly [string, string];

/** Where the session came from, and what its log holds. */
function logLines({ log: { events, tokens }, imported }: StatusAnswer): Line[] {
  const size = `${countedText(events, 'event')}, ${countText(tokens)} tokens`;
  const from = imported === undefined ? [] : [`${imported.path} (${imported.format})`];
  return [...from.map((text): Line => ['imported', text]), ['log', size]];
}

const tierText = ({ tier, items, tokens }: StatusAnswer['tiers'][number]): string =>
  `${tier} ${countText(items)} (${countText(tokens)} tokens)`;

/** What is kept in mind. Where that is nothing, one line says so: a log alone is no memory. */
function memoryLines(answer: StatusAnswer): Line[] {
  const { history, summary, facts, tasks, plans, tiers } = answer;
  const entries = countedText(history.entries, 'entry', 'entries');
  const all: readonly (readonly [string, string, number])[] = [
    [
      'history',
      `${entries}, ${countText(history.tokens)} tokens, ${countText(history.pinned)} pinned`,
      history.entries + history.pinned,
    ],
    ['summary', `${countText(summary.tokens)} tokens, ${summary.trust}`, summary.tokens],
    ['facts', `${countText(facts.count)}, ${countText(facts.pinned)} pinned`, facts.count],
    [
      'tasks',
      `${countText(tasks.running)} running, ${countText(tasks.over)} over`,
      tasks.running + tasks.over,
    ],
    ['plans', countText(plans), plans],
    ['tiers', tiers.map(tierText).join(', '), tiers.reduce((sum, { items }) => sum + items, 0)],
  ];
  const isEmpty = all.every(([, , size]) => size === 0) && answer.imported !== undefined;
  const hint = 'nothing yet: `ctx compact --from-log` takes in what the log holds';
  return isEmpty ? [['memory', hint]] : all.map(([name, text]) => [name, text]);
}

/** The line of the window, where something is known of it. */
function windowLines({ window }: StatusAnswer): Line[] {
  if (window === undefined) return [];
  const { usedTokens, windowTokens, offloaded, savedTokens } = window;
  const used = countText(usedTokens);
  const of = windowTokens === undefined ? '' : ` of ${countText(windowTokens)}`;
  const share = windowTokens === undefined ? '' : ` (${percentText(usedTokens, windowTokens)})`;
  const saved = `${countedText(offloaded, 'result')} kept out, ${countText(savedTokens)} tokens saved`;
  return [['window', `${used}${of} tokens${share}, ${saved}`]];
}

function linesOf(answer: StatusAnswer): readonly Line[] {
  const { session, toolCalls, tokenUsage } = answer;
  const { lastCompaction: last, compactionDue: due, workspace } = answer;
  const [before, after] = [last?.tokensBefore ?? 0, last?.tokensAfter ?? 0].map(countText);
  const when = last && timeText(Date.parse(last.at));
  return [
    ['session', session.id],
    ...(session.title === undefined ? [] : [['title', session.title] as const]),
    ...windowLines(answer),
    ...logLines(answer),
    ...memoryLines(answer),
    ['calls', `${countText(toolCalls.total)}, ${countText(toolCalls.failures)} failed`],
    ['by tool', countsText(toolCalls.byTool)],
    ['tokens', `${countText(tokenUsage.input)} in, ${countText(tokenUsage.output)} out`],
    ...(workspace === undefined ? [] : [['place', workspace] as const]),
    ['due', due === undefined ? 'no compaction' : `a compaction, by ${due}`],
    ...(when === undefined
      ? []
      : [['last', `${when}: ${String(before)} → ${String(after)} tokens`] as const]),
  ];
}

interface StatusFlags extends StoreFlags {
  readonly window?: number;
}

async function runStatus(context: CommandContext, name: string, flags: StatusFlags): Promise<void> {
  const use = { tokenCounter: tokenCounterFor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const session = await findSession(store, name);
    const answer = { store: url.text, ...(await statusOf(store, session, flags)) };
    if (flags.json === true) return context.json(statusAnswerSchema, answer);
    const lines = linesOf(answer).map(([title, text]) => `${title.padEnd(9)} ${text}\n`);
    await context.print(lines.join(''));
    if (answer.context === undefined) return;
    await context.draw(`\n${contextText(context, answer.context)}`);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'status',
    summary:
      'Show where the tokens of a session go, what is kept, and whether a compaction is due.',
    examples: ['ctx status <session>', 'ctx status <session> --json'],
  })
    .argument('<session>', 'id of a session, or its first characters')
    .option(
      '--window <tokens>',
      "the model's window (default: as the session's log or model tells, else 200000)",
      wholeNumber(1000),
    );
  return withStoreFlag(command).action((name: string, flags: StatusFlags) =>
    runStatus(context, name, flags),
  );
}
