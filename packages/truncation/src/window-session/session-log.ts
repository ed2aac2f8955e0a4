import type { ContextStore } from '@ctx/store';
import { originsOf } from './log/fork-session.ts';
import { outputOfAddress } from './view/output-of-address.ts';
import { readGivenHashes } from './view/read-given-hashes.ts';
import { type HistoryMark, readHistory } from './view/read-history.ts';
import {
  type MessageRange,
  type NumberedMessage,
  readAddress,
  readMessages,
} from './view/read-messages.ts';
import { readRequests } from './view/read-requests.ts';
import { readSent, type SentRequests } from './view/read-sent.ts';
import { readView, type SessionView } from './view/read-view.ts';

/**
 * What the log of a session's window says, without the window being opened. Nothing is written, and what rewinds left out is
 * not given. Each call reads the log as it is then, up to what it needs, and rejects with `CTX_STORE_CORRUPT` if that is damaged.
 */
export interface SessionLog {
  /** The messages that the log took in, in order: the event of each, and what the caller knows it by. */
  history(): Promise<readonly HistoryMark[]>;
  /** What `hashOfGiven` gives for these messages, in the same order. */
  givenHashes(): Promise<readonly string[]>;
  /** Messages as they came, whatever became of them in the view; those that do not exist are left out. */
  messages(range: MessageRange): Promise<readonly NumberedMessage[]>;
  /**
   * The messages that an address such as `ctx://messages/3-8` or `ctx://messages/3,5,9` names, stored results whole.
   *
   * @throws `CTX_INVALID_ADDRESS`, and `CTX_NOT_FOUND` if the log has none of them.
   */
  messagesAt(address: string): Promise<readonly NumberedMessage[]>;
  /** The output, `ctx://outputs/<id>`, that the one message of an address holds and nothing else; `undefined` otherwise. */
  outputAt(address: string): Promise<string | undefined>;
  /** The events of the requests that were made. */
  requests(): Promise<readonly number[]>;
  /** The requests, with what was done for each, and what they carried of each segment. Folds the log once. */
  sent(): Promise<SentRequests>;
  /** What was in view after an event, default the last, with the sizes and the state of each part. */
  view(sequence?: number): Promise<SessionView>;
  /** The sessions that this one was forked from, nearest first: its log may name results that they keep. */
  origins(): Promise<readonly string[]>;
}

/** Returns a reader of the log of a session's window. */
export function sessionLog(store: ContextStore, sessionId: string): SessionLog {
  return {
    history: () => readHistory(store, sessionId),
    givenHashes: () => readGivenHashes(store, sessionId),
    messages: (range) => readMessages(store, sessionId, range),
    messagesAt: (address) => readAddress(store, sessionId, address),
    outputAt: (address) => outputOfAddress(store, sessionId, address),
    requests: () => readRequests(store, sessionId),
    sent: () => readSent(store, sessionId),
    view: (sequence) => readView(store, sessionId, sequence),
    origins: () => originsOf(store, sessionId),
  };
}
