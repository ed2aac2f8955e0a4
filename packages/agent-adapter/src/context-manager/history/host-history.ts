import type { Message } from '@ctx/core';
import type { RecordedCall, SessionWindow } from '@ctx/truncation';
import { type Alternation, createAlternation } from './alternation.ts';
import { keyOfMessage } from './compare-messages.ts';
import {
  type FollowedMessage,
  type FollowPlan,
  givenMessage,
  type KnownHistory,
  planFollow,
} from './follow-history.ts';
import { isKnownToGrow } from './grown-lists.ts';
import { type RebuiltHistory, rebuiltHistory } from './rebuilt-history.ts';
import type { HistoryMark, RecordedResult, RecordedResults } from '../window-types.ts';

/** What following a history did. */
export interface FollowReceipt {
  readonly inserted: number;
  readonly rewound?: { readonly kept: number; readonly leftEvents: number };
  /** Present if this history and another one take turns: two loops share the manager. */
  readonly alternates?: true;
}

/** What happens to messages on their way into the window. */
export interface HistoryHost {
  /** Takes out what may not be stored. The same object where nothing was. */
  readonly redact: (message: Message) => Message;
  /** Where a result that was recorded before is kept; `undefined` for one that was not, or that says something else. */
  readonly storedResult: (callId: string, text: string) => RecordedResult | undefined;
  /** The same for results of calls that an earlier process recorded, from the store. */
  readonly findStored: (call: RecordedCall, text: string) => Promise<RecordedResult | undefined>;
}

/** Keeps a window in step with the history of a host. */
export interface HostHistory {
  /**
   * Takes what is new in a history; where it is no continuation, the window goes back first.
   * Costs what is new; a rewind reads the log up to there.
   */
  follow(messages: readonly Message[]): Promise<FollowReceipt>;
  /**
   * Returns whether the window has a history, and these messages do not begin with it: not as it was given or returned, nor after other
   * system messages. `lead`: how many of these there are.
   */
  beginsAnew(messages: readonly Message[], lead: number): boolean;
  /** Remembers what was returned: a host may hand it in as its history the next time. */
  returned(messages: readonly Message[]): void;
}

/** The part of a message that the window does not have yet. */
function newPart(message: Message, knownBlocks: number): Message {
  return knownBlocks === 0 ? message : { ...message, content: message.content.slice(knownBlocks) };
}

/** The list that a plan goes on from. */
function listOf({ given, taken, returned }: KnownHistory, plan: FollowPlan) {
  if (plan.isReturned) return returned;
  return given.length > 0 && given.length >= plan.known ? given : taken;
}

/** What of a list is still there when the window went back to an event. */
function upTo(list: readonly FollowedMessage[], event: number | undefined): FollowedMessage[] {
  if (event === undefined) return [...list];
  return list.filter(({ sequence }) => sequence !== undefined && sequence <= event);
}

/** A result that is one text, and its call, which may stand in messages of before. */
function* textResults(messages: readonly Message[]) {
  for (const block of messages.flatMap(({ content }) => content)) {
    const [only, ...others] = block.type === 'tool_result' ? block.content : [];
    if (block.type !== 'tool_result' || only?.type !== 'text' || others.length > 0) continue;
    yield { id: block.toolUseId, text: only.text };
  }
}

/** The call with an id, looked for from the end. */
function callOf(messages: readonly Message[], callId: string): RecordedCall | undefined {
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const call = messages[place]?.content.find(
      (block) => block.type === 'tool_use' && block.id === callId,
    );
    if (call?.type === 'tool_use') return call;
  }
  return undefined;
}

/** A history, and how much of it the window has. */
interface NewMessages {
  readonly messages: readonly Message[];
  readonly plan: FollowPlan;
}

/** Where the results among new messages are kept already. */
async function storedIn(
  parts: readonly Message[],
  all: readonly Message[],
  host: HistoryHost,
): Promise<RecordedResults> {
  const stored = new Map<string, RecordedResult>();
  for (const { id, text } of textResults(parts)) {
    const known = host.storedResult(id, text);
    const call = known === undefined ? callOf(all, id) : undefined;
    const found = known ?? (call && (await host.findStored(call, text)));
    if (found !== undefined) stored.set(id, found);
  }
  return stored;
}

/** Puts what is new into the window. Costs what is new. */
async function insertNew(
  { window, host }: { readonly window: SessionWindow; readonly host: HistoryHost },
  { messages, plan }: NewMessages,
): Promise<FollowedMessage[]> {
  const fresh = messages.slice(plan.known);
  if (fresh.length === 0) return [];
  const parts = fresh.map((message, index) =>
    host.redact(newPart(message, index === 0 ? plan.knownBlocks : 0)),
  );
  const keys = fresh.map(keyOfMessage);
  const stored = await storedIn(parts, messages, host);
  const sequences = await window.insert(parts, { keys, stored });
  return fresh.map((message, index) => {
    const sequence = sequences[index] ?? 0;
    return { key: keys[index] ?? '', message, sequence, before: sequence - 1 };
  });
}

/** The log has the message: whoever only needs its place does not keep it in memory. */
function withoutMessage({ message: _message, ...rest }: FollowedMessage): FollowedMessage {
  return rest;
}

interface Followed {
  given: FollowedMessage[];
  taken: FollowedMessage[];
  /** The messages of `given`. */
  objects: Message[];
  /** The list that they came in. */
  list: readonly Message[];
  /** What was returned the last time. */
  returned: readonly Message[];
}

/** Whether the history begins with the very objects that the host gave the last time: then nothing has to be compared. */
function isContinued({ objects, list }: Followed, messages: readonly Message[]): boolean {
  if (objects.length === 0 || messages.length < objects.length) return false;
  if (messages === list && isKnownToGrow(messages)) return true;
  // A plain loop: a call for each of thousands of messages costs more than the rest of the step. Not by `===`: that reads from memory what
  // each of them is, which takes about 0.1 ms for 4,000.
  for (let place = 0; place < objects.length; place += 1) {
    if (!Object.is(objects[place], messages[place])) return false;
  }
  return true;
}

interface Following {
  readonly window: SessionWindow;
  readonly host: HistoryHost;
  readonly rebuilt: RebuiltHistory;
  readonly alternation: Alternation;
}

/** Compares, goes back where the two part, and takes what is new. */
async function followAnew(
  { window, host, rebuilt, alternation }: Following,
  followed: Followed,
  messages: readonly Message[],
): Promise<FollowReceipt> {
  const { given, taken } = followed;
  const known = { given, taken, returned: followed.returned.map((message) => ({ message })) };
  const asked = messages.map(givenMessage);
  const plan = planFollow(known, asked);
  const turns = alternation.takesTurns(given, asked, plan) ? { alternates: true as const } : {};
  const { rewindTo } = plan;
  const rewound = rewindTo === undefined ? undefined : await window.rewind(rewindTo);
  const list = listOf(known, plan);
  rebuilt.changed(list.slice(0, plan.known).map(({ message }) => message));
  const added = await insertNew({ window, host }, { messages, plan });
  // The places of what was known, with the objects that the host holds now.
  const kept = messages.slice(0, plan.known).map((message, index) => ({
    ...list[index],
    message,
  }));
  followed.given = [...kept, ...added];
  followed.taken = [...upTo(taken, rewindTo), ...added.map(withoutMessage)];
  followed.objects = messages.slice(0, followed.given.length);
  followed.list = messages;
  if (rewound === undefined) return { inserted: added.length, ...turns };
  rebuilt.comesFromStore();
  const { leftEvents } = rewound;
  return { inserted: added.length, rewound: { kept: plan.known, leftEvents }, ...turns };
}

/** Follows the history of a host. `marks`: what the log of the window holds already. */
export function hostHistory(
  window: SessionWindow,
  marks: readonly HistoryMark[],
  host: HistoryHost,
): HostHistory {
  const followed: Followed = {
    ...{ given: [], taken: [...marks], objects: [], list: [] },
    returned: window.view(),
  };
  const rebuilt = rebuiltHistory();
  const alternation = createAlternation();
  if (marks.length > 0) rebuilt.comesFromStore();
  const knownOf = (messages: readonly Message[]): readonly Message[] =>
    rebuilt.isRebuilt(followed.objects, messages)
      ? rebuilt.knownObjects(followed.objects, messages)
      : messages;
  return {
    beginsAnew: (messages, lead) => {
      const { given, taken, returned } = followed;
      const asked = messages.map(givenMessage);
      const first = asked[lead]?.key();
      if (first === undefined || taken.length === 0) return false;
      const known = { given, taken, returned: returned.map((message) => ({ message })) };
      const isFirst = taken.slice(0, lead + 1).some(({ key }) => key === first);
      return !isFirst && planFollow(known, asked).known <= lead;
    },
    follow: async (given) => {
      const isSame = isContinued(followed, given);
      const messages = isSame ? given : knownOf(given);
      if (!isSame && !(messages !== given && isContinued(followed, messages))) {
        return followAnew({ window, host, rebuilt, alternation }, followed, messages);
      }
      const plan = { known: followed.given.length, knownBlocks: 0, isReturned: false };
      const fresh = messages.slice(plan.known);
      const added = await insertNew({ window, host }, { messages, plan });
      for (const message of fresh) followed.objects.push(message);
      followed.list = messages;
      for (const each of added) {
        followed.given.push(each);
        followed.taken.push(withoutMessage(each));
      }
      return { inserted: added.length };
    },
    returned: (messages) => {
      followed.returned = messages.slice();
      rebuilt.showed(followed.objects, messages);
    },
  };
}
