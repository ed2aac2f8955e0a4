import { keyOfMessage } from '@ctx/agent-adapter';
import { type ContextStore, fingerprint, type Message, outputText } from '@ctx/core';
import {
  limitTokensOf,
  type SessionRequest,
  type UsageReport,
  type WindowMode,
  windowModes,
} from '@ctx/truncation';
import { problem } from '../problems/problem.ts';
import { isKnown, type OpenWindow, type SessionWindows } from './session-windows.ts';

/** What a request is made of. */
export interface PrepareInput {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly messages: readonly Message[];
  /** Place in the conversation of the first of them. */
  readonly from: number;
  readonly system?: string;
  readonly tools?: readonly unknown[];
  readonly model?: string;
  readonly windowTokens: number;
  readonly mode?: WindowMode;
  /** What the provider reported of the request before, tokens. */
  readonly usage?: { readonly inputTokens: number; readonly cachedTokens?: number };
}

/** A request that fits, and what was done for that. */
export interface Prepared {
  readonly request: SessionRequest;
  readonly limitTokens: number;
  /** Messages that the session did not have yet. */
  readonly added: number;
  /** Messages that the session has now. */
  readonly total: number;
  /** What the usage told, where it was given. */
  readonly report?: UsageReport;
}

/** The messages that the session does not have. Throws: 409 where they do not go on from what it has. */
function freshOf({ known }: OpenWindow, { messages, from }: PrepareInput): readonly Message[] {
  if (from > known.length) {
    const count = String(known.length);
    throw problem(409, `The session has ${count} messages: send them from there on.`);
  }
  const given = messages.slice(0, known.length - from);
  const differs = given.findIndex((message, index) => !isKnown(known[from + index] ?? {}, message));
  if (differs !== -1) {
    const place = String(from + differs);
    throw problem(409, `Message ${place} is not the one that the session has there.`);
  }
  if (from + messages.length < known.length) {
    throw problem(409, `The session goes on: it has ${String(known.length)} messages.`);
  }
  return messages.slice(known.length - from);
}

/** Tokens of what stands beside the messages. */
function fixedTokensOf({ store, system, tools }: PrepareInput): number {
  const systemTokens = system === undefined ? 0 : store.countTokens(system);
  return systemTokens + (tools === undefined ? 0 : store.countTokens(outputText(tools)));
}

async function tellSizes({ window, ...open }: OpenWindow, input: PrepareInput): Promise<string> {
  const { windowTokens } = input;
  const fixedTokens = fixedTokensOf(input);
  const sizes = JSON.stringify([windowTokens, fixedTokens]);
  if (sizes !== open.sizes) await window.resize({ windowTokens, fixedTokens });
  return sizes;
}

function partsOf({ model, tools, system }: PrepareInput) {
  return {
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools: fingerprint(tools) }),
    ...(system === undefined ? {} : { system: fingerprint(system) }),
  };
}

/**
 * Takes what is new of a conversation and gives the request to send.
 * Contract: the whole conversation, or its end, may be handed in as often as wanted; what the session has is not taken twice.
 * Throws: 409 where it is another conversation; `CTX_WINDOW_OVERFLOW`, `CTX_WINDOW_STUCK`.
 */
export function prepare(windows: SessionWindows, input: PrepareInput): Promise<Prepared> {
  const { store, sessionId, mode, windowTokens, usage } = input;
  const place = { store, sessionId, ...(mode === undefined ? {} : { mode }) };
  return windows.use(place, async (open) => {
    const fresh = freshOf(open, input);
    const report = usage && (await open.window.observe(usage));
    open.sizes = await tellSizes(open, input);
    const keys = fresh.map(keyOfMessage);
    if (fresh.length > 0) await open.window.insert(fresh, { keys });
    for (const key of keys) open.known.push({ key });
    const request = await open.window.request(store.clock(), partsOf(input));
    const limitTokens = limitTokensOf(windowModes[open.mode], windowTokens);
    const counts = { added: fresh.length, total: open.known.length };
    return { request, limitTokens, ...counts, ...(report === undefined ? {} : { report }) };
  });
}
