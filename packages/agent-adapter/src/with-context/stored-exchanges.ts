import { isRecord } from '@ctx/core/encoding';
import { type ContextStore, collections } from '@ctx/store';
import type { StoredRecord } from '@ctx/store/backend';
import { sequenceText } from '../sequence-text.ts';
import type { HiddenExchange, KeptExchanges } from './hidden-exchanges.ts';

/** Returns `undefined` for what cannot be read: the conversation continues without it. */
function exchangeOf({ key, body }: StoredRecord): HiddenExchange | undefined {
  const value: unknown = JSON.parse(body);
  const { key: said, length, whole } = isRecord(value) ? value : {};
  if (typeof said !== 'string' || typeof length !== 'number') return undefined;
  if (!Array.isArray(whole) || !whole.every(isRecord)) return undefined;
  return { at: Number(key[2]), key: said, length, whole };
}

/**
 * Keeps the exchanges of a session in its store, so that a process which continues the session sends them where they were sent before. A
 * store that fails does not stop the agent: this process still knows them. What holds a secret is not kept.
 */
export function storedExchanges(store: ContextStore, sessionId: string): KeptExchanges {
  const table = store.records.collection(collections.hiddenExchanges);
  const read = async (list: string): Promise<HiddenExchange[]> => {
    const found: HiddenExchange[] = [];
    for await (const record of table.scan({ index: 'key', equal: [sessionId, list] })) {
      const exchange = exchangeOf(record);
      if (exchange !== undefined) found.push(exchange);
    }
    return found;
  };
  const write = async (list: string, { at, ...exchange }: HiddenExchange): Promise<void> => {
    const body = JSON.stringify(exchange);
    if (JSON.stringify(store.redactor.redact(exchange).value) !== body) return;
    const key = [sessionId, list, sequenceText(at)];
    await store.records.write([table.put({ key, columns: { at: store.clock() }, body })]);
  };
  return {
    read: (list) => read(list).catch(() => []),
    write: (list, exchange) => write(list, exchange).catch(() => undefined),
  };
}
