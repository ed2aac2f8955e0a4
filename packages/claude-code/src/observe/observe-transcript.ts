import { buildLedger } from '@ctx/compactor';
import { isCtxError, type Message } from '@ctx/core';
import { type ContextStore, defaultAgentId, recordUsage, type Session } from '@ctx/store';
import { importedEvents, requestsOf, type TranscriptEvent } from '@ctx/transcripts';
import type { HookInput } from '../hook-input.ts';
import { type HostSession, noteHostSession } from '../host-session.ts';
import { readTail, type TailPlace } from './read-tail.ts';
import { eventsOfLines, placeType, writeTail } from './tail-events.ts';

/** Most lines of a ledger that are kept for the session after its compaction. */
const maxKept = 40;

/** How many entries of a log are looked through for the newest place, from its end. */
const lookBack = 200;

function placeOf(payload: unknown): TailPlace | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { path, offset } = payload as Partial<TailPlace>; // Checked in the next line.
  return typeof path === 'string' && typeof offset === 'number' ? { path, offset } : undefined;
}

/** Length of the log, and up to where the file stands in it. */
async function logState(store: ContextStore, sessionId: string) {
  const { events: first } = await store.events.tally(sessionId);
  let place: TailPlace | undefined;
  const from = Math.max(0, first - lookBack);
  for await (const { type, payload } of store.events.read(sessionId, { from })) {
    if (type === placeType) place = placeOf(payload) ?? place;
  }
  return { first, place };
}

/** Adds what is new in the file to the log. Another process that does so at the same time has done it, too. */
async function importTail(
  store: ContextStore,
  sessionId: string,
  path: string,
): Promise<readonly TranscriptEvent[]> {
  const added: TranscriptEvent[] = [];
  for (;;) {
    const { first, place: known } = await logState(store, sessionId);
    const tail = await readTail(path, known);
    if (tail === undefined) return added;
    const events = await eventsOfLines(tail.bytes);
    try {
      await writeTail(store, { sessionId, events, place: tail.place, first });
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
      continue;
    }
    for (const event of events) added.push(event);
  }
}

function usageIn(events: readonly TranscriptEvent[]): Parameters<typeof recordUsage>[1] {
  let [input, output] = [0, 0];
  for (const { usage } of events) {
    if (usage === undefined) continue;
    input += usage.input;
    output += usage.output;
  }
  return { input, output };
}

/** How full the window of the main lane was at its newest request. */
function fillIn(events: readonly TranscriptEvent[]): Pick<HostSession, 'usedTokens' | 'model'> {
  const newest = events.findLast(({ lane, usage }) => lane === 'main' && usage !== undefined);
  if (newest?.usage === undefined) return {};
  const { input, output } = newest.usage; // What the cache had is in `input`.
  const { model } = newest;
  const usedTokens = input + output;
  return { usedTokens, ...(model === undefined ? {} : { model }) };
}

/** Calls by tool, from the outputs that are stored. */
async function countTools(store: ContextStore, sessionId: string): Promise<Map<string, number>> {
  const tools = new Map<string, number>();
  let after: string | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page = await store.outputs.pointers({ sessionId, limit: 1000, ...place });
    for (const { toolName } of page.entries) tools.set(toolName, (tools.get(toolName) ?? 0) + 1);
    after = page.next;
  } while (after !== undefined);
  return tools;
}

async function messagesOf(store: ContextStore, sessionId: string): Promise<readonly Message[]> {
  const events: TranscriptEvent[] = [];
  for await (const { event } of importedEvents(store, sessionId)) events.push(event);
  return requestsOf(events).messages;
}

/** What the compaction that comes must not lose. */
async function ledgerOf(
  store: ContextStore,
  sessionId: string,
): Promise<Pick<HostSession, 'requests' | 'rules' | 'kept' | 'tasks'>> {
  const messages = await messagesOf(store, sessionId);
  const { userTexts, constraints, decisions, tasks, errors } = buildLedger(messages, {
    countTokens: store.countTokens,
    parts: ['constraints', 'decisions', 'tasks', 'errors'],
  });
  const kept = [...decisions, ...errors].slice(0, maxKept);
  const [first, newest] = [userTexts[0], userTexts.at(-1)];
  return {
    requests: [...new Set([first, newest])].flatMap((request) => request?.text ?? []),
    rules: constraints.slice(0, maxKept).map(({ text }) => text),
    kept: kept.map(({ text }) => text),
    tasks: tasks.map(({ text }) => text),
  };
}

/** A checkpoint of what the agent had in mind, to go back to. */
async function checkpoint(store: ContextStore, session: Session): Promise<void> {
  const agentId = session.agentId ?? defaultAgentId;
  const state = await store.checkpoints.read({ agentId, sessionId: session.id });
  await store.checkpoints.commit({ state, trigger: 'limit' });
}

async function newsOf(
  store: ContextStore,
  { event, sessionId }: HookInput,
): Promise<(known: HostSession) => HostSession> {
  const at = store.clock();
  if (event === 'SessionEnd') return (known) => ({ ...known, endedAt: at });
  if (event !== 'PreCompact') return (known) => known;
  const ledger = await ledgerOf(store, sessionId);
  return (known) => {
    const compactions = (known.compactions ?? 0) + 1;
    return { ...known, ...ledger, compactedAt: at, compactions };
  };
}

async function countAll(
  store: ContextStore,
  session: Session,
  events: readonly TranscriptEvent[],
): Promise<Session> {
  const tools = await countTools(store, session.id);
  const total = [...tools.values()].reduce((sum, count) => sum + count, 0);
  const usage = usageIn(events);
  return store.sessions.update(session.id, (known) => {
    const { failures } = known.document.tool_stats;
    const by_tool = Object.fromEntries(tools);
    const tool_stats = { total_calls: total, by_tool, failures };
    return { ...known, document: recordUsage({ ...known.document, tool_stats }, usage) };
  });
}

/**
 * Takes in what is new in the file of a session, counts it, and keeps what a compaction must not lose: the ledger and a checkpoint.
 * The file may be missing. Reads what is new in the file; before a compaction the whole log.
 */
export async function observeTranscript(store: ContextStore, input: HookInput): Promise<void> {
  const { sessionId, transcriptPath: path } = input;
  const events = path === undefined ? [] : await importTail(store, sessionId, path);
  const change = await newsOf(store, input);
  const noted = await noteHostSession(store, sessionId, (known) =>
    change({ ...known, ...fillIn(events) }),
  );
  const session = await countAll(store, noted, events);
  if (input.event === 'PreCompact') await checkpoint(store, session);
}
