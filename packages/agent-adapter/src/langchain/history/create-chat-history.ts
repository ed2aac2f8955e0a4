import { CtxError } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import { type CollectionAccess, type ContextStore, collections, retryOnConflict } from '@ctx/store';
import type { StoredRecord } from '@ctx/store/backend';
import type { MessageShape, StoredMessageShape } from '../host-types.ts';
import { sequenceText } from '../../sequence-text.ts';

/** What a chat history can do beyond what LangChain asks for. */
export interface ChatHistoryExtras {
  /**
   * Copies the messages to another session, which must have none, and gives their number.
   * @throws `CTX_INVALID_INPUT`.
   */
  copyTo(sessionId: string): Promise<number>;
}

/** What a chat history is made of. */
export interface CreateChatHistoryOptions<Instance> {
  /** The class of `@langchain/core/chat_history`. */
  readonly BaseListChatMessageHistory: abstract new () => Instance;
  /** `mapStoredMessagesToChatMessages` of `@langchain/core/messages`. */
  readonly fromStored: (messages: never[]) => readonly MessageShape[];
  readonly store: ContextStore;
  readonly sessionId: string;
}

/** Messages that are written or removed at once. */
const batchSize = 500;

interface ChatLog {
  add(messages: readonly MessageShape[]): Promise<void>;
  read(): Promise<StoredMessageShape[]>;
  clear(): Promise<void>;
}

function isStoredMessage(value: unknown): value is StoredMessageShape {
  if (typeof value !== 'object' || value === null) return false;
  const { type, data } = value as Partial<Record<'type' | 'data', unknown>>;
  return typeof type === 'string' && typeof data === 'object' && data !== null;
}

function messageOf(record: StoredRecord): StoredMessageShape {
  const value: unknown = decodeValue(JSON.parse(record.body));
  if (isStoredMessage(value)) return value;
  throw new CtxError('CTX_STORE_CORRUPT', `message ${record.key.join(' / ')} cannot be read`);
}

const keyOf = (sessionId: string, sequence: number): string[] => [
  sessionId,
  sequenceText(sequence),
];

async function lastSequence(log: CollectionAccess, sessionId: string): Promise<number> {
  const last = { index: 'key', equal: [sessionId], descending: true, limit: 1 } as const;
  for await (const { key } of log.scan({ ...last, part: 'columns' })) return Number(key[1]);
  return -1;
}

function chatLog(store: ContextStore, sessionId: string): ChatLog {
  const log = store.records.collection(collections.chatMessages);
  return {
    add: async (messages) => {
      const bodies = messages.map((message) =>
        JSON.stringify(store.redactor.redact(encodeValue(message.toDict())).value),
      );
      if (bodies.length === 0) return;
      const columns = { at: store.clock() };
      await retryOnConflict(async () => {
        const first = (await lastSequence(log, sessionId)) + 1;
        const puts = bodies.map((body, index) =>
          log.put({ key: keyOf(sessionId, first + index), columns, body, expectVersion: 0 }),
        );
        await store.records.write(puts);
      });
    },
    read: async () => {
      const messages: StoredMessageShape[] = [];
      for await (const record of log.scan({ index: 'key', equal: [sessionId] })) {
        messages.push(messageOf(record));
      }
      return messages;
    },
    clear: async () => {
      // From the end, so that what is left after a crash still begins with the first message.
      const end = { index: 'key', equal: [sessionId], descending: true, limit: batchSize } as const;
      for (;;) {
        const keys: StoredRecord['key'][] = [];
        for await (const { key } of log.scan({ ...end, part: 'columns' })) keys.push(key);
        if (keys.length === 0) return;
        await store.records.write(keys.map((key) => log.remove({ key })));
      }
    },
  };
}

/** @throws `CTX_INVALID_INPUT` where the other session has messages. */
async function copyMessages(store: ContextStore, from: string, to: string): Promise<number> {
  const log = store.records.collection(collections.chatMessages);
  if ((await lastSequence(log, to)) >= 0) {
    throw new CtxError('CTX_INVALID_INPUT', `the session ${to} has messages already`);
  }
  const puts: ReturnType<CollectionAccess['put']>[] = [];
  for await (const { key, columns, body } of log.scan({ index: 'key', equal: [from] })) {
    puts.push(log.put({ key: [to, ...key.slice(1)], columns, body, expectVersion: 0 }));
  }
  if (puts.length > 0) await store.records.write(puts);
  return puts.length;
}

type HistoryClass = new () => object;

/**
 * Makes a chat message history for LangChain on any store: messages come back as LangChain's own, in order.
 * Messages that are added together are kept together or not at all; several processes may add to one session. Where the
 * store has a redactor, secrets are taken out of what is kept.
 * @throws `CTX_INVALID_INPUT` for an empty `sessionId`.
 */
export function createChatHistory<Instance extends object>({
  BaseListChatMessageHistory,
  fromStored,
  store,
  sessionId,
}: CreateChatHistoryOptions<Instance>): Instance & ChatHistoryExtras {
  if (sessionId === '') throw new CtxError('CTX_INVALID_INPUT', 'sessionId must not be empty');
  const log = chatLog(store, sessionId);
  // The class is the host's: what it brings along calls these methods.
  const Base = BaseListChatMessageHistory as unknown as HistoryClass;
  class CtxChatHistory extends Base implements ChatHistoryExtras {
    readonly lc_namespace: string[] = ['ctx', 'chat_history'];

    async getMessages(): Promise<readonly MessageShape[]> {
      const stored = await log.read();
      // The host's function takes what its own messages said of themselves.
      return fromStored(stored as never[]);
    }

    async addMessage(message: MessageShape): Promise<void> {
      await log.add([message]);
    }

    async addMessages(messages: readonly MessageShape[]): Promise<void> {
      await log.add(messages);
    }

    async clear(): Promise<void> {
      await log.clear();
    }

    async copyTo(other: string): Promise<number> {
      return copyMessages(store, sessionId, other);
    }
  }
  // It has the methods that the abstract class leaves open; contract tests hold its type against the host's.
  return new CtxChatHistory() as unknown as Instance & ChatHistoryExtras;
}
