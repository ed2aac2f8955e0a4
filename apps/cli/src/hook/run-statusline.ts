import { type Gauge, readGauge, readStatuslineInput, type StatuslineInput } from '@ctx/claude-code';
import type { ContextStore, Session } from '@ctx/store';
import { modelProfile } from '@ctx/truncation/cost';
import type { CliHost } from '../cli-host.ts';
import type { StatuslineAnswer } from '../schemas/window/statusline.ts';
import { openExisting, storeExists } from '../store/open-store-url.ts';
import { storeLocationOf } from '../store/store-location.ts';
import { logHookFailure } from './hook-log.ts';
import type { HookEnd } from './run-hook.ts';

/** Longest input that is read. */
const maxInputBytes = 1024 * 1024;

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

async function fromStore(
  host: CliHost,
  flags: StatuslineFlags,
  { sessionId }: StatuslineInput,
): Promise<Measured> {
  const { url } = await storeLocationOf(host, flags.store);
  if (!(await storeExists(url))) return { gauge: emptyGauge };
  const { store } = await openExisting(url);
  try {
    return await measure(store, sessionId);
  } finally {
    if (!(flags.leaveOpen === true && url.scheme === 'sqlite')) await store.close();
  }
}

/** How a status line is made. */
export interface StatuslineFlags extends HookEnd {
  readonly store?: string;
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

function answerOf(input: StatuslineInput, { gauge, session }: Measured): StatuslineAnswer {
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
 * The numbers of a status line: what the agent says of its window and its price, and what the store has of the session.
 * Contract: never throws; where the store cannot be read, the log of hooks says why, and the rest is there.
 */
export async function statuslineAnswer(
  host: CliHost,
  flags: StatuslineFlags,
): Promise<StatuslineAnswer> {
  let input: StatuslineInput = {};
  let measured: Measured = { gauge: emptyGauge };
  try {
    const read = await host.readInput(maxInputBytes);
    if (read !== undefined && read !== 'too large') input = readStatuslineInput(read.text);
    measured = await fromStore(host, flags, input);
  } catch (error) {
    await logHookFailure(host, 'statusline', error);
  }
  return answerOf(input, measured);
}
