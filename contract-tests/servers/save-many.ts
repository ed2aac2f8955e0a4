import { type Sent, send } from './start-servers.ts';

/** 1 to `count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** What saves items. */
export interface SaveManyOptions {
  /** Port of the server that takes the next one. */
  readonly next: () => Promise<number>;
  readonly key: string;
  readonly atOnce: number;
  /** Whether it is enough, once so many were begun. */
  readonly until: (begun: number) => boolean;
}

/** Saves items of an agent, some at a time, at whichever server is next. Gives how each request ended. */
export async function saveMany({ next, key, atOnce, until }: SaveManyOptions): Promise<Sent[]> {
  const sent: Sent[] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (!until(begun)) {
      begun += 1;
      const body = { kind: 'TASK', content: `item ${String(begun)}` };
      sent.push(await send(await next(), '/v1/agents/a/items', { key, body }));
    }
  };
  await Promise.all(numbers(atOnce).map(work));
  return sent;
}
