import { callsOf, type Message } from '@ctx/core';
import type { ReplayPolicy } from '@ctx/replay';
import { type ContextStore, flashSaveTrigger, pathOfArgs } from '@ctx/store';

type PolicyContext = Parameters<ReplayPolicy['start']>[0];
type PolicyRun = ReturnType<ReplayPolicy['start']>;

/** What a replay under flash saves has done, beside what the replay measures. */
export interface FlashSaveTally {
  saves: number;
  archived: number;
  unfit: number;
  /** Content of each item as it was saved, by id: what must come back. */
  readonly contents: Map<string, string>;
}

/** The smallest run of messages that stays or leaves: what was said, or a call with its results. */
interface Unit {
  readonly id: string;
  readonly messages: Message[];
}

const agentId = 'agent';

const noPointers: ReadonlySet<string> = new Set();

/** Newest units that stay whatever their items are worth: the agent is at work on them. */
const newestUnits = 8;

function textOf(messages: readonly Message[]): string {
  return JSON.stringify(messages.map(({ role, content }) => ({ role, content })));
}

const editNames = /^(edit|write|multiedit|str_replace|apply_patch|create)/i;

/** The kind of an item: the user's words are the task, edits and reads are code, failures are errors. */
function kindOf([first, ...rest]: readonly Message[]): string {
  if (first?.role === 'user') return 'TASK';
  const failed = rest.some(({ content }) =>
    content.some((block) => block.type === 'tool_result' && block.isError === true),
  );
  if (failed) return 'ERROR';
  const calls = first === undefined ? [] : callsOf(first);
  if (calls.some(({ name }) => editNames.test(name))) return 'CODE';
  return calls.some(({ input }) => pathOfArgs(input) !== undefined) ? 'CODE' : 'TEST_RESULT';
}

const pathsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => callsOf(message)).flatMap(({ input }) => pathOfArgs(input) ?? []);

interface Running {
  readonly store: ContextStore;
  readonly context: PolicyContext;
  readonly tally: FlashSaveTally;
  readonly hotTokens: number;
  units: Unit[];
  /** Ids of items that touch the same path. */
  readonly byPath: Map<string, string>;
  readonly saved: Set<string>;
  readonly trigger: ReturnType<typeof flashSaveTrigger>;
  next: number;
}

/** Saves what was said since, each unit as an item; what speaks of a file again reads the item that spoke of it before. */
async function saveUnits(running: Running): Promise<void> {
  const { store, units, saved, byPath, tally } = running;
  for (const { id, messages } of units) {
    if (saved.has(id)) continue;
    saved.add(id);
    const content = textOf(messages);
    tally.contents.set(id, content);
    await store.items.save({ agentId, id, kind: kindOf(messages), content, sessionId: 'long' });
    for (const path of pathsOf(messages)) {
      const before = byPath.get(path);
      if (before !== undefined) await store.items.touch(agentId, before);
      byPath.set(path, id);
    }
  }
}

const viewOf = ({ units }: Running): Message[] => units.flatMap(({ messages }) => messages);

/** Saves in a flash and goes on with what is hot, the first words and what is being worked on. */
async function reduce(running: Running): Promise<void> {
  const { store, tally, hotTokens } = running;
  await saveUnits(running);
  const receipt = await store.checkpoints.flashSave({
    agentId,
    policy: { hotTokens },
    retention: { keep: 20 },
  });
  tally.saves += 1;
  tally.archived += receipt.itemsArchived;
  if (!receipt.fits) tally.unfit += 1;
  const retained = new Set(receipt.retained);
  const newest = new Set(running.units.slice(-newestUnits).map(({ id }) => id));
  running.units = running.units.filter(
    ({ id }, at) => at === 0 || newest.has(id) || retained.has(id),
  );
}

function tokensOf({ context }: Running, messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + context.tokensOf(message), context.fixedTokens);
}

/** Whether a message goes on with the unit before it: results of its calls. */
function goesOn(message: Message, last: Unit | undefined): last is Unit {
  const calls = last?.messages[0] === undefined ? [] : callsOf(last.messages[0]);
  const ids = new Set(calls.map(({ id }) => id));
  return message.content.some((block) => block.type === 'tool_result' && ids.has(block.toolUseId));
}

function start(running: Running, clock: { now: number }, startAt: number): PolicyRun {
  const { context } = running;
  return {
    insert: (message) => {
      const last = running.units.at(-1);
      if (goesOn(message, last)) last.messages.push(message);
      else running.units.push({ id: `unit ${String(running.next++)}`, messages: [message] });
    },
    prepare: async (now) => {
      clock.now = startAt + now;
      const requestTokens = tokensOf(running, viewOf(running));
      const measured = { requestTokens, limit: context.windowTokens, now: clock.now };
      if (running.trigger(measured).isDue) await reduce(running);
    },
    render: () => viewOf(running),
    // What left the view is counted by whether its item comes back.
    pointers: () => noPointers,
  };
}

/** Works in a context of items that flash saves keep small. The store's clock is `clock`, which the replay turns. */
export function flashSaveReplay(
  name: string,
  store: ContextStore,
  options: {
    readonly clock: { now: number };
    readonly hotTokens: number;
    readonly tally: FlashSaveTally;
  },
): ReplayPolicy {
  const { clock, hotTokens, tally } = options;
  const startAt = clock.now;
  return {
    name,
    description: `flash saves at 80 % of the window, ${String(hotTokens)} tokens of hot items stay`,
    start: (context) => {
      const running: Running = {
        ...{ store, context, tally, hotTokens, trigger: flashSaveTrigger(), next: 0 },
        units: [],
        byPath: new Map(),
        saved: new Set(),
      };
      return start(running, clock, startAt);
    },
  };
}
