import type { Json, Wire } from './wire.ts';

/** What was said between the model and ctx before an answer reached the host. */
export interface HiddenExchange {
  /** How many messages the host's history had before the answer. */
  readonly at: number;
  readonly key: string;
  /** How many messages the answer is in the host's history. */
  readonly length: number;
  /** All of it, in the place of the answer. */
  readonly whole: readonly Json[];
}

/** What the model read back during answers of a conversation, which the host's history does not hold. */
export interface HiddenExchanges {
  /** Puts everything back where it was said. Where the host's history is another, nothing is put in. */
  readonly restore: (list: readonly Json[]) => readonly Json[];
  /** Notes all that was said for an answer: `at` is the length of the host's list before it. */
  readonly note: (at: number, visible: readonly Json[], whole: readonly Json[]) => Promise<void>;
}

/** Where the exchanges of a session outlive the process. */
export interface KeptExchanges {
  readonly read: (list: string) => Promise<readonly HiddenExchange[]>;
  readonly write: (list: string, exchange: HiddenExchange) => Promise<void>;
}

/** Reads the exchanges of one conversation, which continue in this process. */
export async function hiddenExchanges(
  { keyOf, listKey }: Pick<Wire, 'keyOf' | 'listKey'>,
  kept: KeptExchanges,
): Promise<HiddenExchanges> {
  const known = new Map((await kept.read(listKey)).map((exchange) => [exchange.at, exchange]));
  return {
    restore: (list) => {
      const restored: Json[] = [];
      for (let at = 0; at < list.length; at += 1) {
        const hidden = known.get(at);
        const said = list.slice(at, at + (hidden?.length ?? 1));
        if (hidden === undefined || keyOf(said) !== hidden.key) restored.push(...said.slice(0, 1));
        else {
          restored.push(...hidden.whole);
          at += hidden.length - 1;
        }
      }
      return restored;
    },
    note: async (at, visible, whole) => {
      const exchange = { at, key: keyOf(visible), length: visible.length, whole };
      known.set(at, exchange);
      await kept.write(listKey, exchange);
    },
  };
}
