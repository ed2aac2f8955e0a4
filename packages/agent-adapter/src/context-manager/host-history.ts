import type { Message } from '@ctx/core';
import type { HistoryMark, SessionWindow, StoredResult, StoredResults } from '@ctx/truncation';
import {
  type FollowedMessage,
  type FollowPlan,
  type GivenMessage,
  givenMessage,
  type KnownHistory,
  planFollow,
} from './follow-history.ts';
import type { RecordedCall } from './recorded-calls.ts';

/** What following a history did. */
export interface FollowReceipt {
  readonly inserted: number;
  readonly rewound?: { readonly kept: number; readonly leftEvents: number };
}

/** What happens to messages on their way into the window. */
export interface HistoryHost {
  /** Takes out what may not be stored. Contract: the same object where nothing was. */
  readonly redact: (message: Message) => Message;
  /** Where a result that was recorded before is kept; `undefined` for one that was not, or that says something else. */
  readonly storedResult: (callId: string, text: string) => StoredResult | undefined;
  /** The same for results of calls that an earlier process recorded, from the store. */
  readonly findStored: (call: RecordedCall, text: string) => Promise<StoredResult | undefined>;
}

/** Keeps a window in step with the history of a host. */
export interface HostHistory {
  /**
   * Takes what is new in a history; where it is no continuation, the window goes back first.
   * Cost: what is new; a rewind costs the log up to there.
   */
  follow(messages: readonly Message[]): Promise<FollowReceipt>;
  /** Remembers what was returned: a host may hand it in as its history the next time. */
  returned(messages: readonly Message[]): void;
}

/** The part of a message that the window does not have yet. */
function newPart({ message }: GivenMessage, knownBlocks: number): Message {
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
function callOf(messages: readonly GivenMessage[], callId: string): RecordedCall | undefined {
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const call = messages[place]?.message.content.find(
      (block) => block.type === 'tool_use' && block.id === callId,
    );
    if (call?.type === 'tool_use') return call;
  }
  return undefined;
}

/** Where the results of messages are kept already. */
async function storedIn(
  messages: readonly Message[],
  given: readonly GivenMessage[],
  host: HistoryHost,
): Promise<StoredResults> {
  const stored = new Map<string, StoredResult>();
  for (const { id, text } of textResults(messages)) {
    const known = host.storedResult(id, text);
    const call = known === undefined ? callOf(given, id) : undefined;
    const found = known ?? (call && (await host.findStored(call, text)));
    if (found !== undefined) stored.set(id, found);
  }
  return stored;
}

async function insertAll(
  { window, host }: { readonly window: SessionWindow; readonly host: HistoryHost },
  given: readonly GivenMessage[],
  plan: FollowPlan,
): Promise<FollowedMessage[]> {
  const fresh = given.slice(plan.known);
  if (fresh.length === 0) return [];
  const { knownBlocks } = plan;
  const parts = fresh.map((each, index) =>
    host.redact(newPart(each, index === 0 ? knownBlocks : 0)),
  );
  const keys = fresh.map((each) => each.key());
  const stored = await storedIn(parts, given, host);
  const sequences = await window.insert(parts, { keys, stored });
  return fresh.map(({ message }, index) => {
    const sequence = sequences[index] ?? 0;
    return { key: keys[index] ?? '', message, sequence, before: sequence - 1 };
  });
}

/** The log has the message: whoever only needs its place does not keep it in memory. */
function withoutMessage({ message: _message, ...rest }: FollowedMessage): FollowedMessage {
  return rest;
}

/** Follows the history of a host. `marks`: what the log of the window holds already. */
export function hostHistory(
  window: SessionWindow,
  marks: readonly HistoryMark[],
  host: HistoryHost,
): HostHistory {
  const shown = window.view().map((message): FollowedMessage => ({ message }));
  let known: KnownHistory = { given: [], taken: marks, returned: shown };
  return {
    follow: async (messages) => {
      const given = messages.map(givenMessage);
      const plan = planFollow(known, given);
      const { rewindTo } = plan;
      const rewound = rewindTo === undefined ? undefined : await window.rewind(rewindTo);
      const list = listOf(known, plan);
      const added = await insertAll({ window, host }, given, plan);
      // The places of what was known, with the objects that the host holds now.
      const kept = messages.slice(0, plan.known).map((message, index) => ({
        ...list[index],
        message,
      }));
      const taken = [...upTo(known.taken, rewindTo), ...added.map(withoutMessage)];
      known = { ...known, given: [...kept, ...added], taken };
      if (rewound === undefined) return { inserted: added.length };
      const { leftEvents } = rewound;
      return { inserted: added.length, rewound: { kept: plan.known, leftEvents } };
    },
    returned: (messages) => {
      known = { ...known, returned: messages.map((message) => ({ message })) };
    },
  };
}
