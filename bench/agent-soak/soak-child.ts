/**
 * The agent of the soak, in a process that may be killed at any moment. Argument: what it is started with, as JSON. It works on one
 * session until that has so many turns, purges it and begins the next. Whatever the store has acknowledged it tells its parent.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Message, randomIds } from '@ctx/core';
import { type ContextStore, openStore, purges } from '@ctx/store';
import { openSessionWindow, type SessionWindow, sessionLog } from '@ctx/truncation';
import { createRandom, type Random } from '../compaction/random.ts';
import type { StoreBackend } from '@ctx/store/backend';
import { endPurges, soakAgent, soakBackend, soakSession } from './open-soak-store.ts';
import type { SoakMessage, SoakRun } from './soak-messages.ts';

const run = JSON.parse(process.argv[2] ?? '{}') as SoakRun;
const turnsEach = 40;
const retainEvery = 20;
/** Results and checkpoints that may stay. */
const policy = { maxTotalBytes: 400_000, checkpoints: 5 };
const windowTokens = 12_000;
const mostItems = 100;
const hourMs = 3_600_000;

function tell(message: SoakMessage): void {
  process.send?.(message);
}

/** Resolves once the parent will hear it, whatever becomes of this process. */
function tellFirst(message: SoakMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => {
      resolve();
    });
  });
}

interface Work {
  readonly backend: StoreBackend;
  readonly store: ContextStore;
  readonly random: Random;
  /** What its clock is off by, ms. */
  readonly clock: { offset: number };
  session: number;
  turns: number;
  window: SessionWindow;
}

const text = (words: string) => [{ type: 'text', text: words }] as const;

function linesOf(random: Random, lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) => `${String(line + 1)}\tconst v${String(random.upTo(1e9))} = f(${String(line)});`,
  ).join('\n');
}

/** A turn: what the user asks, a call, its result. Reads, edits and runs take turns. */
function messagesOf({ random, turns }: Work, id: string): Message[] {
  const path = `src/part${String(random.upTo(9))}.ts`;
  const calls = [
    { name: 'Read', input: { file_path: path }, result: linesOf(random, 20 + random.upTo(150)) },
    {
      name: 'Edit',
      input: { file_path: path, old_string: 'const', new_string: `let v${String(turns)}` },
      result: `The file ${path} has been updated.`,
    },
    {
      name: 'Bash',
      input: { command: `npm test ${path}` },
      result: linesOf(random, random.upTo(400)),
    },
  ];
  const { name, input, result } = calls[turns % calls.length] ??
    calls[0] ?? { name: '', input: {}, result: '' };
  return [
    { role: 'user', content: text(`Chore ${String(turns)}: look at ${path}.`) },
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content: text(result) }] },
  ];
}

/** Whether each call has its result right behind it, and nothing else has. */
function isValid(messages: readonly Message[]): boolean {
  let open: string[] = [];
  return messages.every(({ content }) => {
    const answered = content.flatMap((block) =>
      block.type === 'tool_result' ? block.toolUseId : [],
    );
    const isRight = answered.length === open.length && answered.every((id) => open.includes(id));
    open = content.flatMap((block) => (block.type === 'tool_use' ? block.id : []));
    return isRight;
  });
}

async function tellResults({ store, session }: Work): Promise<void> {
  const sessionId = soakSession(session);
  const { entries } = await store.outputs.pointers({ sessionId, limit: 1000 });
  const newest = entries.at(-1);
  if (newest === undefined) return;
  const output = await store.outputs.load({ id: newest.id, sessionId });
  if (output === undefined) tell({ kind: 'wrong', what: `${newest.id} cannot be loaded` });
  else
    tell({ kind: 'result', id: `${sessionId} ${newest.id}`, text: JSON.stringify(output.result) });
}

async function compact({ window, turns }: Work): Promise<void> {
  if (window.planCompaction() === undefined) return;
  await window.compact({ summary: `The chores up to ${String(turns)} are done.` });
}

async function saveItem({ store, random }: Work): Promise<void> {
  const content = `learnt ${String(random.upTo(1e9))} of part ${String(random.upTo(9))}`;
  const { item } = await store.items.save({ agentId: soakAgent, kind: 'NOTE', content });
  tell({ kind: 'item', id: item.id, content });
  // So that there are never more than some hundred, in the tiers and in the archive.
  await forgetOne(store, false);
  await forgetOne(store, true);
}

/** Deletes one item where there are many. */
async function forgetOne({ items }: ContextStore, archived: boolean): Promise<void> {
  const { entries } = await items.list(soakAgent, { limit: mostItems, archived });
  const old = entries.length >= mostItems ? entries.at(-1) : undefined;
  if (old === undefined) return;
  await tellFirst({ kind: 'leaving', ids: [old.id] });
  await items.delete(soakAgent, old.id);
}

const born = performance.now();

async function retain({ store }: Work): Promise<void> {
  const plan = await store.retention.plan(policy);
  await tellFirst({
    kind: 'leaving',
    ids: plan.outputs.leaving.map((key) => key.slice(-2).join(' ')),
  });
  await store.retention.apply(plan, policy);
  globalThis.gc?.();
  tell({ kind: 'sizes', heap: process.memoryUsage().heapUsed, age: performance.now() - born });
}

/** Purges the session and begins the next. */
async function beginNext(work: Work): Promise<void> {
  const { backend, store, session, window } = work;
  const sessionId = soakSession(session);
  const { entries } = await store.outputs.pointers({ sessionId, limit: 1000 });
  const ids = entries.map(({ id }) => `${sessionId} ${id}`);
  await tellFirst({ kind: 'purging', sessionId, ids });
  await window.close();
  const place = { backend, tenant: store.tenant, clock: store.clock, ids: randomIds() };
  await purges.begin(place, { sessions: [sessionId] });
  await endPurges(backend, store);
  work.session += 1;
  work.turns = 0;
  work.window = await openWindow(store, work.session);
}

function openWindow(store: ContextStore, session: number): Promise<SessionWindow> {
  return openSessionWindow({
    store,
    sessionId: soakSession(session),
    windowTokens,
    fixedTokens: 500,
  });
}

async function takeTurn(work: Work): Promise<void> {
  const { store, random, window, session } = work;
  const sessionId = soakSession(session);
  const id = `call-${String(session)}-${String(work.turns)}-${String(random.upTo(1e9))}`;
  const marks = await window.insert(messagesOf(work, id));
  tell({ kind: 'messages', sessionId, count: marks.length });
  const { messages } = await window.request(store.clock());
  if (!isValid(messages))
    tell({ kind: 'wrong', what: `${sessionId}: a request that is not valid` });
  await window.observe({ inputTokens: 1000 + random.upTo(9000), cachedTokens: 500 });
  await tellResults(work);
  await saveItem(work);
  work.turns += 1;
  if (work.turns % 13 === 0) await compact(work);
  if (work.turns % 9 === 0) await store.checkpoints.flashSave({ agentId: soakAgent, sessionId });
  if (work.turns % retainEvery === 0) await retain(work);
  if (random.upTo(25) === 0) work.clock.offset += (random.upTo(49) - 24) * hourMs;
  if (work.turns >= turnsEach) await beginNext(work);
  tell({ kind: 'turn' });
}

const backend = soakBackend(run);
const clock = { offset: run.offset };
const store = await openStore(backend, { clock: () => Date.now() + clock.offset });
await endPurges(backend, store);
const { session } = run;
const window = await openWindow(store, session);
const { length } = await sessionLog(store, soakSession(session)).history();
const random = createRandom(run.seed);
const work: Work = {
  backend,
  store,
  random,
  clock,
  session,
  turns: Math.floor(length / 3),
  window,
};
for (;;) {
  await takeTurn(work);
  await wait(5);
}
