import type { ContextStore, Session } from '@ctx/store';
import { modelProfile } from '@ctx/truncation';
import * as z from 'zod';
import { readStatuslineInput, type StatuslineInput } from '../statusline-input.ts';
import { type Gauge, readGauge } from './gauge.ts';

const count = z.number().min(0);

/** The numbers of a status line. Unknown values are missing. */
export const statuslineSchema = z.object({
  session: z.string().exactOptional(),
  model: z.string().exactOptional(),
  usedTokens: count.exactOptional(),
  windowTokens: count.exactOptional(),
  /** Outputs that are stored, and their tokens. */
  outputs: count,
  outputTokens: count,
  /** Results that hooks kept out of the window, and the tokens that this saved. */
  offloaded: count,
  savedTokens: count,
  /** Compactions of the session. */
  flushes: count,
  /** Items of the session's agent by tier. */
  tiers: z.object({ hot: count, warm: count, cold: count }),
  costUsd: count.exactOptional(),
});

export type Statusline = Readonly<z.infer<typeof statuslineSchema>>;

const emptyGauge: Gauge = {
  ...{ outputs: 0, outputTokens: 0, offloaded: 0, savedTokens: 0, flushes: 0 },
  tiers: { hot: 0, warm: 0, cold: 0 },
};

interface Measured {
  readonly gauge: Gauge;
  readonly session?: string;
}

/** The session that is asked for, else the newest one. */
async function measure(store: ContextStore, id: string | undefined): Promise<Measured> {
  if (id !== undefined) {
    return { gauge: await readGauge(store, await store.sessions.get(id), id), session: id };
  }
  const { entries } = await store.sessions.list({ limit: 1 });
  const [newest] = entries;
  const session: Session | undefined = newest && (await store.sessions.get(newest.id));
  if (session === undefined) return { gauge: emptyGauge };
  return { gauge: await readGauge(store, session, session.id), session: session.id };
}

function windowOf(model: string | undefined): number | undefined {
  return model === undefined ? undefined : modelProfile(model).windowTokens;
}

/** The members that are known. */
function known<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  // Only members without a value are gone.
  return Object.fromEntries(entries) as { [Name in keyof Members]?: NonNullable<Members[Name]> };
}

function answerOf(input: StatuslineInput, { gauge, session }: Measured): Statusline {
  const model = input.model ?? gauge.model;
  const numbers = known({
    session: session ?? input.sessionId,
    model,
    usedTokens: input.usedTokens ?? gauge.usedTokens,
    windowTokens: input.windowTokens ?? windowOf(model),
    costUsd: input.costUsd,
  });
  const { outputs, outputTokens, offloaded, savedTokens, flushes, tiers } = gauge;
  return { ...numbers, outputs, outputTokens, offloaded, savedTokens, flushes, tiers };
}

/**
 * Returns the numbers of a status line: what the agent says of its window and price (`told`, what Claude Code writes to the standard
 * input of its status line), and what the store has of the session, if there is one. What cannot be read of `told` is missing.
 */
export async function statuslineOf(
  told: string,
  store: ContextStore | undefined,
): Promise<Statusline> {
  const input = readStatuslineInput(told);
  const measured =
    store === undefined ? { gauge: emptyGauge } : await measure(store, input.sessionId);
  return answerOf(input, measured);
}
