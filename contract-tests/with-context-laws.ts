import { join } from 'node:path';
import { createContextManager } from '@ctx/agent-adapter';
import type { ContextStore } from '@ctx/store';
import { openSqliteStore } from '@ctx/store-sqlite';
import { expect, it } from 'vitest';
import { type ProviderServer, type Script, startProvider } from './ai-sdk/provider-server.ts';
import type { ScriptedStep } from './ai-sdk/provider-wires.ts';
import { inFolder } from './child-program.ts';
import { asked, hugeMarker, rounds, script, textOfPart, windowTokens } from './hard-scenario.ts';

/** The options that the laws pass to `withContext`. */
export interface LawOptions {
  readonly session: string;
  readonly store: ContextStore | string;
  readonly profile: {
    readonly name: string;
    readonly windowTokens: number;
    readonly price: string;
  };
}

/** What `withContext` adds to a client. */
export interface ContextClient {
  readonly end: () => Promise<void>;
}

/** An agent that was put together with one call of `withContext`. */
export interface LawfulAgent<History> {
  /** Says something behind a history, runs tools until the model is done, and gives the history as the host has it then. */
  readonly round: (
    history: History | undefined,
    said: string,
  ) => Promise<{ readonly history: History; readonly text: string }>;
  readonly end: () => Promise<void>;
}

/** An agent whose host saves its history during a round and continues one that broke off. */
export interface ResumableAgent<History> extends LawfulAgent<History> {
  /**
   * Asks for the answer that is due if nothing is said. Calls `onStep` with the history that the host saves: before the first request, and
   * after the tools of each step have run.
   */
  readonly round: (
    history: History | undefined,
    said?: string,
    onStep?: (history: History) => void,
  ) => Promise<{ readonly history: History; readonly text: string }>;
}

/** Hears the text of streamed answers, piece by piece. */
export type Hear = (piece: string) => void;

/** Hears an answer to its end. */
export async function heard<Answer extends { readonly textStream: AsyncIterable<string> }>(
  answer: Answer,
  hear: Hear,
): Promise<Answer> {
  for await (const piece of answer.textStream) hear(piece);
  return answer;
}

type Start<History> = (url: string, options: LawOptions) => Promise<LawfulAgent<History>>;

const profile = { name: 'm', windowTokens, price: 'anthropic-5m' };

interface Place {
  readonly server: ProviderServer;
  readonly options: LawOptions;
  readonly path: string;
}

async function inPlace(
  said: Script,
  limit: number,
  run: (place: Place) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, 'ctx.db');
    const store = await openSqliteStore({ path });
    const { countTokens } = store;
    await store.close();
    await using server = await startProvider(said, { windowTokens: limit, countTokens });
    await run({ server, path, options: { session: 's', store: `sqlite:${path}`, profile } });
  });
}

/** What the session left in the store: results, and the tokens that the provider reported. */
export async function leftIn(path: string) {
  const store = await openSqliteStore({ path });
  const manager = createContextManager({ store, sessionId: 's' });
  const pointers = await manager.getAllPointers();
  const outputs = await manager.loadContexts(pointers.map(({ id }) => id));
  const session = await store.sessions.get('s');
  await manager.end();
  await store.close();
  const results = outputs.map(({ result }) => result);
  return { results, inputTokens: session?.document.token_usage.total_input };
}

/** A model that reads a long text, forgets it, searches it, and says what it found. */
function searching(request: string, count: number): ScriptedStep {
  const call = (name: string, input: object): ScriptedStep => ({
    calls: [{ id: `s${String(count)}`, name, input }],
  });
  if (count === 1) return call('read', { part: 'b3' });
  const [pointer] = /ctx:\/\/outputs\/[\w-]+/.exec(request) ?? [];
  if (count === 2) return call('ctx_read_output', { pointer, pattern: hugeMarker });
  const found = request.includes(hugeMarker) && count >= 3;
  return { text: found ? 'it is there' : 'it is lost', calls: [] };
}

/** What `withContext` promises for every SDK. `npm test` runs the two long conversations with one of them, the campaigns with each. */
export function describeWithContext<History>(
  start: Start<History>,
  { isLong = process.env['CTX_TEST_CAMPAIGN'] === '1' } = {},
): void {
  it('answers the model when it reads back what left, and what it read stays in view', async () => {
    await inPlace(searching, windowTokens, async ({ server, options }) => {
      const agent = await start(server.url, options);
      const { text, history } = await agent.round(undefined, 'Look for the marker.');
      expect(text).toBe('it is there');
      expect(server.requests[0]).toContain('ctx_read_output');
      const next = await agent.round(history, 'Sure?');
      expect(next.text).toBe('it is there');
      await agent.end();
      expect(server.refusals).toEqual([]);
      // The request after the answer extends the one before: what was read stays in view.
      expect(server.requests.at(-1)).toContain('ctx_read_output');
      expect(server.requests.at(-1)?.split(hugeMarker).length).toBeGreaterThan(2);
    });
  });
  if (isLong) describeLongConversations(start);
}

function describeLongConversations<History>(start: Start<History>): void {
  it('is refused nothing in the hard scenario, and goes on where it was each time it is opened again', async () => {
    await inPlace(script, windowTokens, async ({ server, options, path }) => {
      let agent = await start(server.url, options);
      let history: History | undefined;
      for (let round = 0; round < rounds; round += 1) {
        ({ history } = await agent.round(history, asked(round)));
        await agent.end();
        agent = await start(server.url, options);
        // The host keeps its history as JSON.
        history = JSON.parse(JSON.stringify(history)) as History;
      }
      await agent.end();
      expect(server.refusals).toEqual([]);
      expect(server.sizes).toHaveLength(script.length);
      for (const request of server.requests) expect(request).not.toContain(hugeMarker);
      const left = await leftIn(path);
      expect(left.results).toContain(textOfPart('b3'));
      // What the provider reported was learned from.
      const reported = server.sizes.reduce((sum, tokens) => sum + tokens, 0);
      expect(left.inputTokens).toBe(reported);
    });
  }, 60_000);

  it('asks again with less where the provider takes less than was known', async () => {
    await inPlace(script, 20_000, async ({ server, options }) => {
      const agent = await start(server.url, options);
      let history: History | undefined;
      for (let round = 0; round < rounds; round += 1) {
        ({ history } = await agent.round(history, asked(round)));
      }
      await agent.end();
      expect(server.refusals.length).toBeGreaterThan(0);
      for (const refusal of server.refusals) expect(refusal).toMatch(/too long/);
      expect(server.sizes).toHaveLength(script.length);
    });
  }, 60_000);
}

/** An agent of a framework that was put together with one call of `withContext`, asked in the ways that its framework has. */
export interface AgentWays extends AsyncDisposable {
  readonly streamed: (said: string) => Promise<string>;
  /** What the answer is by the schema `{ full: boolean }`. */
  readonly parsed: (said: string) => Promise<unknown>;
  /** Rejects once the signal is aborted. */
  readonly stopped: (said: string, signal: AbortSignal) => Promise<unknown>;
}

/** What `withContext` promises for the frameworks that run the loop themselves. */
export function describeAgentWays(
  start: (url: string, options: LawOptions) => Promise<AgentWays>,
): void {
  it('streams, answers to a schema and ends with the host’s abort, and is closed by await using', async () => {
    const controller = new AbortController();
    const status = { id: 'own', name: 'ctx_status', input: {} };
    const said: Script = (_request, count) => {
      if (count === 5) controller.abort();
      const id = `own${String(count)}`;
      return count % 2 === 1
        ? { calls: [{ ...status, id }] }
        : { text: '{"full":true}', calls: [] };
    };
    await inPlace(said, windowTokens, async ({ server, options, path }) => {
      {
        await using agent = await start(server.url, options);
        expect(await agent.streamed('How full?')).toBe('{"full":true}');
        expect(await agent.parsed('How full?')).toEqual({ full: true });
        await expect(agent.stopped('How full?', controller.signal)).rejects.toThrow(/abort/i);
      }
      expect(server.requests).toHaveLength(5);
      expect(server.refusals).toEqual([]);
      const [first = 0, second = 0, third = 0, fourth = 0] = server.sizes;
      const { inputTokens = 0 } = await leftIn(path);
      expect(inputTokens).toBeGreaterThanOrEqual(first + second + third + fourth);
    });
  });
}
