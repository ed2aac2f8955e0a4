import { join } from 'node:path';
import { openSqliteStore } from '@ctx/store-sqlite';
import { expect, it } from 'vitest';
import { type Script, startProvider } from '../ai-sdk/provider-server.ts';
import type { ScriptedStep } from '../ai-sdk/wire.ts';
import { bundleProgram, inFolder, type RunningProgram, startProgram } from '../child-program.ts';
import { foundOf, textOfPart } from '../hard-scenario.ts';
import { leftIn } from '../with-context-laws.ts';
import { scenarios } from './scenario.ts';

/** When a process is killed: around its nth write to the store, while its nth request is out, or in the middle of the answer to that. */
export interface Kill {
  readonly moment: 'before' | 'during' | 'after' | 'request' | 'stream';
  readonly at: number;
}

type ScenarioName = keyof typeof scenarios;

/** An SDK, and whether the host has its answers streamed. */
export interface Host {
  readonly sdk: string;
  readonly way: 'whole' | 'streamed';
}

/** What several processes left that continued one session. */
interface Left {
  readonly requests: readonly string[];
  readonly refusals: readonly string[];
  /** How each process ended, the last included. */
  readonly ends: readonly string[];
  /** Results by the pointers that requests held. */
  readonly pointed: ReadonlyMap<string, unknown>;
  /** All results that the session holds. */
  readonly stored: readonly unknown[];
}

const program = bundleProgram(new URL('kill-child.ts', import.meta.url));

const halfAnswer = 'half of an answer';

/** An answer of which a host hears the text, and then nothing. */
const brokenOff: ScriptedStep = {
  ...{ text: halfAnswer, silentAfter: halfAnswer },
  calls: [{ id: 'unheard', name: 'look', input: { part: 'unheard' } }],
};

async function pointedIn(path: string, requests: readonly string[]): Promise<Left['pointed']> {
  const store = await openSqliteStore({ path });
  const found = requests.flatMap((text) => text.match(/ctx:\/\/outputs\/[\w-]+/g) ?? []);
  const pointed = new Map<string, unknown>();
  for (const pointer of new Set(found)) {
    const id = pointer.slice('ctx://outputs/'.length);
    pointed.set(pointer, (await store.outputs.load({ id }))?.result);
  }
  await store.close();
  return pointed;
}

/** Has processes continue one session, each killed at its moment, and one that finishes it. */
async function runKilled(
  { sdk, way }: Host,
  name: ScenarioName,
  kills: readonly Kill[],
): Promise<Left> {
  const { step, windowTokens } = scenarios[name];
  const ends: string[] = [];
  let left: Left | undefined;
  let running: RunningProgram | undefined;
  let kill: Kill | undefined;
  let heard = 0;
  let answered = 0;
  const script: Script = (request) => {
    heard += 1;
    if (kill?.moment === 'request' && heard === kill.at) {
      running?.process.kill('SIGKILL');
      return { text: 'nobody hears this', calls: [] };
    }
    if (kill?.moment === 'stream' && heard === kill.at) return brokenOff;
    answered += 1;
    return step(request, answered);
  };
  await inFolder(async (folder) => {
    const path = join(folder, 'ctx.db');
    const plain = await openSqliteStore({ path });
    const { countTokens } = plain;
    await plain.close();
    await using server = await startProvider(script, { windowTokens, countTokens });
    for (const each of [...kills, undefined]) {
      kill = each;
      heard = 0;
      const point = each === undefined ? [] : [each.moment, String(each.at)];
      const args = [sdk, way, server.url, folder, name, ...point];
      running = startProgram(await program, args, (line, child) => {
        if (line === 'writing' || line.includes(halfAnswer)) child.kill('SIGKILL');
      });
      await running.ended;
      ends.push(running.process.signalCode ?? running.lines.at(-1) ?? 'said nothing');
    }
    const { requests, refusals } = server;
    const [pointed, { results: stored }] = [await pointedIn(path, requests), await leftIn(path)];
    left = { requests, refusals, ends, pointed, stored };
  });
  if (left === undefined) throw new Error('nothing ran');
  return left;
}

/** The results of tools that requests carried, by the part whose text they are. */
const partsIn = (requests: readonly string[]): ReadonlySet<string> =>
  new Set(
    requests.flatMap(
      (text) => text.match(/(?<=["n])(?:[abcl]|light)\d+(?= line 0 says so\.)/g) ?? [],
    ),
  );

/** Text of a result, whatever form the SDK gave it. */
const textOf = (result: unknown): string => {
  if (typeof result === 'string') return result;
  const { output, found } = (result ?? {}) as { readonly output?: string; readonly found?: string };
  return output ?? found ?? JSON.stringify(result);
};

/** A value whose members stand in one order: a provider reads what they say. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The list of messages in a request, without the marks of its cache, which move, and for which a text becomes a block. */
function messagesIn(request: string): readonly unknown[] {
  const body = JSON.parse(request, (key, value: unknown) => {
    if (key === 'cache_control') return undefined;
    return key === 'content' && typeof value === 'string' ? [{ type: 'text', text: value }] : value;
  }) as Readonly<Record<string, readonly unknown[] | undefined>>;
  return body['messages'] ?? body['input'] ?? body['contents'] ?? [];
}

/**
 * Finds requests that changed what the one before had sent. One may be shorter: a host whose process died while the model read something
 * back asks again from where it was.
 */
function changedRequests(requests: readonly string[]): readonly object[] {
  const lists = requests.map((request) =>
    messagesIn(request).map((each) => JSON.stringify(sorted(each))),
  );
  return lists.flatMap((list, at) => {
    const before = lists[at - 1] ?? [];
    const place = list.findIndex((message, index) => message !== (before[index] ?? message));
    return place === -1
      ? []
      : [{ at, place, is: list[place]?.slice(0, 200), was: before[place]?.slice(0, 200) }];
  });
}

/** What holds for a session that processes were killed in: `withContext` promises it for every SDK. */
export function describeKills(host: Host, name: ScenarioName, kills: readonly Kill[]): void {
  const moments = kills.map(({ moment, at }) => `${moment} ${String(at)}`).join(', ');
  it(`goes on where it was killed in the ${name} scenario (${moments})`, {
    timeout: 60_000 + kills.length * 10_000,
  }, async () => {
    const { requests, refusals, ends, pointed, stored } = await runKilled(host, name, kills);
    expect(ends).toEqual([...kills.map(() => 'SIGKILL'), 'done']);
    expect(refusals).toEqual([]);
    for (const request of requests) expect(request).not.toContain(halfAnswer);
    // What a request showed was stored before, whole: behind its pointer, and in the session.
    const texts = new Set(stored.map(textOf));
    for (const [pointer, result] of pointed) {
      expect([pointer, texts.has(textOf(result))]).toEqual([pointer, true]);
    }
    for (const part of partsIn(requests)) {
      const whole = [textOfPart(part), foundOf(part).found, JSON.stringify(foundOf(part))];
      expect([part, whole.some((text) => texts.has(text))]).toEqual([part, true]);
    }
    if (name === 'light') expect(changedRequests(requests)).toEqual([]);
  });
}
