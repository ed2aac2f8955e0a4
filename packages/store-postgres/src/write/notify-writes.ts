import { createHash, randomUUID } from 'node:crypto';
import type { OpenOptions, WriteOperation, WriteOptions } from '@ctx/store/backend';
import type { SqlDriver } from '../driver/sql-driver.ts';

/** PostgreSQL takes payloads of less than 8,000 bytes. Source: https://www.postgresql.org/docs/current/sql-notify.html */
const mostBytes = 7900;

/** Who hears of whose writes: one channel for each schema. */
export function channelOf(schemaName: string): string {
  return `ctx_${createHash('sha256').update(schemaName).digest('hex').slice(0, 32)}`;
}

/**
 * Payloads that name tenants, none longer than PostgreSQL takes. A tenant that fits into none stands as all of them.
 * Pure; each payload names its sender first.
 */
export function payloadsOf(sender: string, tenants: Iterable<string>): string[] {
  const payloads: string[] = [];
  let named: string[] = [sender];
  let bytes = Buffer.byteLength(JSON.stringify(named));
  for (const tenant of tenants) {
    const more = Buffer.byteLength(JSON.stringify(tenant)) + 1;
    if (bytes + more > mostBytes) {
      payloads.push(JSON.stringify(named));
      named = [sender];
      bytes = Buffer.byteLength(JSON.stringify(named));
    }
    named.push(tenant);
    bytes += more;
  }
  return named.length > 1 ? [...payloads, JSON.stringify(named)] : payloads;
}

/** Tells the watch what a payload says. What is no payload of ours may stand for anything. */
export function hearPayload(
  watch: NonNullable<OpenOptions['watch']>,
  sender: string,
  payload: string,
): void {
  let said: unknown;
  try {
    said = JSON.parse(payload);
  } catch {
    said = undefined;
  }
  if (!Array.isArray(said) || !said.every((one) => typeof one === 'string')) {
    watch.onWrite();
    return;
  }
  const [from, ...tenants] = said;
  if (from === sender) return;
  for (const tenant of tenants) watch.onWrite(tenant);
}

/** Tells others of the writes of this process, and hears of theirs. */
export interface WriteNotices {
  /** Tells of a write that was done. Never throws; who waits for the write does not wait for this. */
  readonly tell: (
    operations: readonly WriteOperation[],
    appends?: readonly NonNullable<WriteOptions['appends']>[number][],
  ) => void;
  /** Resolves when what was to be told has been, and nothing is heard any more. */
  readonly end: () => Promise<void>;
}

/** What notices go through. */
export interface NoticePlace {
  readonly driver: SqlDriver;
  readonly schemaName: string;
}

/**
 * Sends what gathers while one notice is on its way, then the next. Behind the writes and not within them: PostgreSQL lets
 * transactions that notify commit one after the other only.
 */
function createSender({ driver }: NoticePlace, channel: string, sender: string) {
  let waiting = new Set<string>();
  let sending: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    while (waiting.size > 0) {
      const tenants = waiting;
      waiting = new Set();
      for (const payload of payloadsOf(sender, tenants)) {
        // What is lost is found by whoever reads the log.
        await driver.query('SELECT pg_notify($1, $2)', [channel, payload]).catch(() => undefined);
      }
    }
    sending = undefined;
  };
  return {
    add: (tenants: Iterable<string>): void => {
      for (const tenant of tenants) waiting.add(tenant);
      if (waiting.size > 0) sending ??= send();
    },
    sent: () => sending ?? Promise.resolve(),
  };
}

/** Begins to hear and to tell. Without a watch, or where the driver cannot listen, nothing of both is done. */
export async function startNotices(
  place: NoticePlace,
  watch: NonNullable<OpenOptions['watch']> | undefined,
): Promise<WriteNotices> {
  const { driver, schemaName } = place;
  if (watch === undefined || driver.listen === undefined) {
    return { tell: () => undefined, end: () => Promise.resolve() };
  }
  const own = randomUUID();
  const channel = channelOf(schemaName);
  const sender = createSender(place, channel, own);
  const stop = await driver.listen({
    channel,
    onMessage: (payload) => {
      hearPayload(watch, own, payload);
    },
    // Whatever was told meanwhile was not heard.
    onGap: () => {
      watch.onWrite();
    },
  });
  return {
    tell: (operations, appends = []) => {
      const isSeen = ({ collection }: { readonly collection: string }) =>
        collection === watch.collection;
      sender.add([
        ...operations.filter(isSeen).flatMap(({ key }) => key.slice(0, 1)),
        ...appends.filter(isSeen).flatMap(({ place: key }) => key.slice(0, 1)),
      ]);
    },
    end: async () => {
      await sender.sent();
      stop();
    },
  };
}
