import { renderStatusline, statuslineOf } from '@ctx/claude-code';
import type { CliHost } from '../cli-host.ts';
import { openExisting, storeExists } from '../store/open-store-url.ts';
import { storeLocationOf } from '../store/store-location.ts';
import { logHookFailure } from './hook-log.ts';
import type { HookEnd } from './run-hook.ts';

/** Longest input that is read. */
const maxInputBytes = 1024 * 1024;

type Statusline = Awaited<ReturnType<typeof statuslineOf>>;

async function fromStore(host: CliHost, flags: StatuslineFlags, told: string): Promise<Statusline> {
  const { url } = await storeLocationOf(host, flags.store);
  if (!(await storeExists(url))) return statuslineOf(told, undefined);
  const { store } = await openExisting(url);
  try {
    return await statuslineOf(told, store);
  } finally {
    if (!(flags.leaveOpen === true && url.scheme === 'sqlite')) await store.close();
  }
}

/** How a status line is made. */
export interface StatuslineFlags extends HookEnd {
  readonly store?: string;
}

/**
 * The numbers of a status line: what the agent says of its window and its price, and what the store has of the session.
 * Never throws; where the store cannot be read, the log of hooks says why, and the rest is there.
 */
export async function statuslineAnswer(host: CliHost, flags: StatuslineFlags): Promise<Statusline> {
  let told = '';
  try {
    const read = await host.readInput(maxInputBytes);
    if (read !== undefined && read !== 'too large') told = read.text;
    return await fromStore(host, flags, told);
  } catch (error) {
    await logHookFailure(host, 'statusline', error);
  }
  return statuslineOf(told, undefined);
}

/** COLUMNS if it is set, else the terminal's width; 80 without a terminal. */
function widthOf({ env, out }: CliHost): number {
  const columns = Number(env['COLUMNS']);
  return Number.isSafeInteger(columns) && columns > 0 ? columns : out.columns;
}

/** The line is shown by an agent, so it has colours although it goes into a pipe. */
function hasColor({ env }: CliHost): boolean {
  const refused = env['NO_COLOR'];
  return (refused === undefined || refused === '') && env['TERM'] !== 'dumb';
}

/** Prints the status line. Never throws. */
export async function printStatusline(host: CliHost, flags: StatuslineFlags): Promise<void> {
  const answer = await statuslineAnswer(host, flags);
  const line = renderStatusline(answer, { width: widthOf(host), hasColor: hasColor(host) });
  await host.out.write(`${line}\n`);
}
