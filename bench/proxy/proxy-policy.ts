import type { Message, ToolResultBlock } from '@ctx/core';
import { createProxy } from '@ctx/proxy';
import { createRedactor } from '@ctx/redact';
import type { ReplayPolicy } from '@ctx/replay';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { tokenCounterFor } from '@ctx/tokens';
import { messageFormats } from '@ctx/transcripts';
import { outputIdOf, sessionLog, windowPolicy } from '@ctx/truncation';

type Proxy = ReturnType<typeof createProxy>;
type PolicyContext = Parameters<ReplayPolicy['start']>[0];
type PolicyRun = ReturnType<ReplayPolicy['start']>;

/** A recorded session as a client sends it: through a proxy over a store of its own. */
interface Sending {
  readonly proxy: Proxy;
  readonly store: ContextStore;
  /** The client's history, an element for each message. */
  readonly elements: string[];
  readonly clock: { now: number };
}

async function openSending(mode: 'default' | 'thrifty' | 'evidence'): Promise<Sending> {
  const clock = { now: 0 };
  const store = await openStore(memoryBackend(), {
    redactor: createRedactor({ mode: 'off' }),
    tokenCounter: tokenCounterFor(),
    clock: () => clock.now,
  });
  return { proxy: createProxy({ store, policy: windowPolicy(mode) }), store, elements: [], clock };
}

const tool = { name: 't', input_schema: {} };

/** What reaches the provider, JSON of each message. */
async function send({ proxy, elements }: Sending, system: string): Promise<readonly unknown[]> {
  const head = JSON.stringify({ model: 'claude-sonnet-4-5', system, tools: [tool] }).slice(0, -1);
  const given = `${head},"messages":[${elements.join(',')}]}`;
  const headers = { 'x-claude-code-session-id': 'recorded' };
  const request = { path: '/v1/messages', headers, body: Buffer.from(given) };
  const { body = given } = await proxy.exchange(request);
  return (JSON.parse(body) as { readonly messages: readonly unknown[] }).messages; // It is what was written above.
}

/** Reads messages as objects that stay the same while their JSON does. */
function createReader() {
  const known = new Map<string, Message>();
  return (records: readonly unknown[]): Message[] =>
    records.map((record) => {
      const text = JSON.stringify(record);
      const [message] = messageFormats.anthropic.read([record]);
      const kept = known.get(text) ?? message ?? { role: 'user', content: [] };
      known.set(text, kept);
      return kept;
    });
}

/** Finds the outputs whose addresses a request holds, under the names that the replay gave them. */
function createAddresses() {
  const named = new Map<string, string[]>();
  const loaded = new Map<string, readonly string[]>();
  let shown = new Set<string>();
  return {
    name: (text: string, id: string) => {
      named.set(text, [...(named.get(text) ?? []), id]);
    },
    look: async (text: string, store: ContextStore) => {
      shown = new Set();
      for (const [address] of text.matchAll(/ctx:\/\/outputs\/[\w-]+|ctx read p\d+\/[\d,-]+/g)) {
        const texts = loaded.has(address) ? [] : await textsAt(address, store);
        if (!loaded.has(address)) {
          loaded.set(
            address,
            texts.flatMap((one) => named.get(one) ?? []),
          );
        }
        for (const one of loaded.get(address) ?? []) shown.add(one);
      }
    },
    shown: () => shown,
  };
}

function textOf({ content }: ToolResultBlock): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

function resultsIn({ content }: Message): ToolResultBlock[] {
  return content.flatMap((block) => (block.type === 'tool_result' ? [block] : []));
}

function resultText(message: Message, callId: string): string {
  const result = resultsIn(message).find(({ toolUseId }) => toolUseId === callId);
  return result === undefined ? '' : textOf(result);
}

/** What an address points to: an output, or the results in messages of the log. */
async function textsAt(address: string, store: ContextStore): Promise<readonly string[]> {
  const [, session, places = ''] = /^ctx read (\w+)\/(.*)$/.exec(address) ?? [];
  if (session === undefined) {
    const output = await store.outputs.load({ id: outputIdOf(address) });
    return output === undefined ? [] : [String(output.result)];
  }
  const found = await sessionLog(store, session).messagesAt(`ctx://messages/${places}`);
  return found.flatMap(({ message }) => resultsIn(message).map(textOf));
}

/** What was seen of the proxies of all sessions. */
export interface Seen {
  requests: number;
  flushes: number;
  failedOpen: number;
}

function startProxy(
  { fixedTokens }: PolicyContext,
  mode: 'default' | 'thrifty' | 'evidence',
  seen: Seen,
): PolicyRun {
  const sending = openSending(mode);
  const system = 'word '.repeat(fixedTokens);
  const read = createReader();
  const addresses = createAddresses();
  const waiting: Message[] = [];
  let view: readonly Message[] = [];
  return {
    insert: (message, outputs) => {
      waiting.push(message);
      for (const [callId, { receipt }] of outputs) {
        addresses.name(resultText(message, callId), receipt.pointer.id);
      }
    },
    prepare: async (now) => {
      const opened = await sending;
      for (const record of messageFormats.anthropic.write(waiting.splice(0))) {
        opened.elements.push(JSON.stringify(record));
      }
      opened.clock.now = 1e12 + now;
      const before = opened.proxy.totals();
      const records = await send(opened, system);
      const { requests, flushes, failedOpen } = opened.proxy.totals();
      seen.requests += requests - before.requests;
      seen.flushes += flushes - before.flushes;
      seen.failedOpen += failedOpen - before.failedOpen;
      view = read(records);
      await addresses.look(JSON.stringify(records), opened.store);
    },
    // What came after the last request is still the client's.
    render: () => [...view, ...waiting],
    pointers: () => addresses.shown(),
  };
}

/** Sends each session through the proxy, and judges what came out as `ctx replay` judges a policy. */
export function proxyPolicy(mode: 'default' | 'thrifty' | 'evidence', seen: Seen): ReplayPolicy {
  const description = 'what a provider gets from the proxy';
  return {
    name: `proxy-${mode}`,
    description,
    start: (context) => startProxy(context, mode, seen),
  };
}
