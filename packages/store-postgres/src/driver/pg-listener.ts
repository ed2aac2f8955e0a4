import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { quoteName } from '@ctx/store/sql';
import { Client, type ClientConfig } from 'pg';
import type { Listening } from './sql-driver.ts';

/** Pauses before a connection that was lost is made again, ms: doubled while it cannot be made. */
const firstPauseMs = 50;
const longestPauseMs = 2000;
/** How often a connection that says nothing is asked whether it lives, and how long its answer may take, ms. */
const pingEveryMs = 10_000;
const answerMs = 5000;
/** How long a farewell may take, ms. */
const farewellMs = 1000;

/** Throws where the connection cannot be had now. Gives what resolves when it hears no more. */
async function hear(
  config: ClientConfig,
  { channel, onMessage }: Listening,
  stopped: AbortSignal,
): Promise<{ readonly ended: Promise<unknown> }> {
  const socket = new Socket();
  const limits = { statement_timeout: answerMs, query_timeout: answerMs };
  const named = { application_name: 'ctx listener' };
  const client = new Client({ ...config, ...limits, ...named, stream: () => socket });
  const lost = new AbortController();
  const lose = (): void => {
    lost.abort();
  };
  const ended = once(AbortSignal.any([stopped, lost.signal]), 'abort');
  const ping = setInterval(() => {
    client.query('SELECT 1').catch(lose);
  }, pingEveryMs);
  ping.unref();
  client.on('error', lose);
  client.on('end', lose);
  client.on('notification', ({ payload = '' }) => {
    if (!stopped.aborted) onMessage(payload);
  });
  void ended.then(() => {
    clearInterval(ping);
    client.end().catch(() => undefined);
    // One that hangs half open takes no farewell.
    setTimeout(() => socket.destroy(), farewellMs).unref();
  });
  try {
    await client.connect();
    await client.query(`LISTEN ${quoteName(channel)}`);
  } catch (error) {
    lose();
    throw error;
  }
  return { ended };
}

/**
 * Hears notifications on a connection of its own. A connection that is lost is made again, however often, and `onGap` is told then.
 * Never rejects; where the first try fails the others go on beside. Takes one connection, and a statement every 10 s.
 */
export async function pgListener(config: ClientConfig, listening: Listening): Promise<() => void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const isStopped = (): boolean => signal.aborted;
  const tryToHear = () => hear(config, listening, signal).catch(() => undefined);
  const keepHearing = async (first: Awaited<ReturnType<typeof tryToHear>>): Promise<void> => {
    await first?.ended;
    let pauseMs = firstPauseMs;
    while (!isStopped()) {
      await pause(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (isStopped()) return;
      const hearing = await tryToHear();
      pauseMs = hearing === undefined ? Math.min(longestPauseMs, pauseMs * 2) : firstPauseMs;
      if (hearing !== undefined && !isStopped()) listening.onGap();
      await hearing?.ended;
    }
  };
  void keepHearing(await tryToHear());
  return () => {
    stopping.abort();
  };
}
