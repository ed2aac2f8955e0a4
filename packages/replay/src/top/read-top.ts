import { timeText } from '@ctx/core/encoding';
import type { Session } from '@ctx/store';
import { type ContextStore, defaultAgentId } from '@ctx/store';
import { limitTokensOf, sessionLog, windowModes } from '@ctx/truncation';
import { isOnlyWatched } from '../explain/conversation-of-session.ts';
import { describeEvent } from './describe-event.ts';
import type { TopCount, TopEvent, TopMoment } from './top-moment.ts';

/** Most events and flushes that are kept for a view. */
const mostEvents = 200;
const mostFlushes = 50;

/** The session that is read. */
export interface TopSession {
  readonly id: string;
  /** How large the model's window is. */
  readonly windowTokens: number;
  /** Tokens of the newest request as the agent told them, if it does not keep its window in the store. */
  readonly usedTokensOf: (session: Session) => number | undefined;
}

/** Reads one session again and again. */
interface TopReader {
  /** The session as it is now. Reads what is new in the log, and makes the window again where something is. */
  readonly read: () => Promise<TopMoment>;
}

type View = TopMoment['window'];

async function windowView(store: ContextStore, id: string): Promise<View | undefined> {
  const log = sessionLog(store, id);
  const { segments, tokens, fixedTokens, limitTokens } = await log.view();
  if (segments.length === 0) return undefined;
  const states = new Map<string, TopCount>();
  const add = (name: string, more: number): void => {
    const known = states.get(name) ?? { name, count: 0, tokens: 0 };
    states.set(name, { name, count: known.count + 1, tokens: known.tokens + more });
  };
  if (fixedTokens > 0) add('system prompt and tools', fixedTokens);
  for (const segment of segments) add(segment.form, segment.tokens);
  const sorted = [...states.values()].sort((left, right) => right.tokens - left.tokens);
  const requests = Math.max(1, (await log.requests()).length);
  const from = (await isOnlyWatched(store, id)) ? 'watched' : 'window';
  return { from, tokens, limitTokens, requests: from === 'watched' ? 0 : requests, states: sorted };
}

async function tiersOf(store: ContextStore, agentId: string): Promise<TopCount[]> {
  const { tiers } = await store.items.stats(agentId);
  return tiers.map(({ tier, items, tokens }) => ({ name: tier, count: items, tokens }));
}

async function flushesOf(store: ContextStore, id: string): Promise<TopMoment['flushes']> {
  const { entries } = await store.compactions.list(id, { limit: mostFlushes });
  return entries.map(({ at, trigger, tokensBefore, tokensAfter }) => ({
    ...{ at: timeText(at), trigger, tokensBefore, tokensAfter },
  }));
}

/** What is known of a window that is not in the store: what the agent's hooks told, else all that was logged. */
function withoutWindow(
  session: Session | undefined,
  logged: number,
  { windowTokens, usedTokensOf }: TopSession,
): View {
  const usedTokens = session && usedTokensOf(session);
  const limitTokens = limitTokensOf(windowModes.default, windowTokens);
  const from = usedTokens === undefined ? 'log' : 'agent';
  return { from, tokens: usedTokens ?? logged, limitTokens, requests: 0, states: [] };
}

/** Returns the reader of a session. */
export function topReader(store: ContextStore, watched: TopSession): TopReader {
  const { id } = watched;
  let events: TopEvent[] = [];
  let next: number | undefined;
  let window: View | undefined;
  const readEvents = async (length: number): Promise<boolean> => {
    const from = Math.max(next ?? 0, length - mostEvents);
    const isNew = next !== length;
    for await (const event of store.events.read(id, { from })) {
      events = [describeEvent(event), ...events].slice(0, mostEvents);
      next = event.sequence + 1;
    }
    next ??= 0;
    return isNew;
  };
  return {
    read: async () => {
      const session = await store.sessions.get(id);
      const agent = session?.agentId ?? defaultAgentId;
      const logged = await store.events.tally(id);
      const isNew = await readEvents(logged.events);
      if (isNew || window === undefined) window = await windowView(store, id);
      const { outputs, tokens, bytes } = await store.outputs.tally({ sessionId: id });
      return {
        session: id,
        ...(session?.title === undefined ? {} : { title: session.title }),
        agent,
        updatedAt: timeText(session?.updatedAt ?? Number.NaN),
        window: window ?? withoutWindow(session, logged.tokens, watched),
        tiers: await tiersOf(store, agent),
        outputs: { count: outputs, tokens, bytes },
        flushes: await flushesOf(store, id),
        events,
        logged,
      };
    },
  };
}
