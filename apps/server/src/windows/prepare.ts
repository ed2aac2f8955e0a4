import { setImmediate as loopTurn } from 'node:timers/promises';
import { keyOfMessage } from '@ctx/agent-adapter';
import type { Message } from '@ctx/core';
import { fingerprint, outputText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import {
  limitTokensOf,
  type SessionWindow,
  type UsageReport,
  type WindowMode,
  windowModes,
} from '@ctx/truncation';
import { problem } from '../problems/problem.ts';
import { partsOfMessages } from './parts-of-messages.ts';
import { isKnown, type OpenWindow, type SessionWindows } from './session-windows.ts';

/** What is taken between two turns of the loop, UTF-16 units: as much as is counted exactly at once. */
const partLength = 65_536;

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
  readonly usage?: Parameters<SessionWindow['observe']>[0];
}

/** A request that fits, and what was done for that. */
export interface Prepared {
  readonly request: Awaited<ReturnType<SessionWindow['request']>>;
  readonly limitTokens: number;
  /** Messages that the session did not have yet. */
  readonly added: number;
  /** Messages that the session has now. */
  readonly total: number;
  /** What the usage told, where it was given. */
  readonly report?: UsageReport;
}

/** The place of the first given message that is not the one that the session has there; -1 where all are. */
function differsAt({ known }: OpenWindow, messages: readonly Message[], from: number): number {
  const given = messages.slice(0, known.length - from);
  return given.findIndex((message, index) => !isKnown(known[from + index] ?? {}, message));
}

/**
 * The messages that the session does not have.
 * @throws 409 where they do not go on from what it has, and where they may go on from one place before too, as those do whose sender
 * counted a system prompt: one would be kept twice.
 */
function freshOf(open: OpenWindow, { messages, from }: PrepareInput): readonly Message[] {
  const count = open.known.length;
  if (from > count) {
    const counted = `${String(count)} messages, system prompts not counted`;
    throw problem(
      409,
      `The session has ${counted}: new messages start at \`from\` ${String(count)}.`,
    );
  }
  const differs = differsAt(open, messages, from);
  if (differs !== -1) {
    const place = String(from + differs);
    const hint = 'system prompts are not counted.';
    throw problem(409, `Message ${place} differs from the one in the session; ${hint}`);
  }
  if (from + messages.length < count) {
    throw problem(409, `The session already has ${String(count)} messages.`);
  }
  const fresh = messages.slice(count - from);
  if (from > 0 && fresh.length > 0 && differsAt(open, messages, from - 1) === -1) {
    const fits = `These messages also fit at place ${String(from - 1)}: one would be kept twice.`;
    const help = `new messages start at \`from\` ${String(count)}.`;
    throw problem(409, `${fits} \`from\` counts no system prompts; ${help}`);
  }
  return fresh;
}

/** Tokens of what stands beside the messages. */
function fixedOf({ store, system, tools }: PrepareInput) {
  return {
    system: system === undefined ? 0 : store.countTokens(system),
    tools: tools === undefined ? 0 : store.countTokens(outputText(tools)),
    definitions: tools,
  };
}

async function tellSizes({ window, ...open }: OpenWindow, input: PrepareInput): Promise<string> {
  const { windowTokens } = input;
  const fixed = fixedOf(input);
  const fixedTokens = fixed.system + fixed.tools;
  const sizes = JSON.stringify([windowTokens, fixed.system, fixed.tools, partsOf(input).tools]);
  if (sizes !== open.sizes) await window.resize({ windowTokens, fixedTokens, fixed });
  return sizes;
}

function partsOf({ model, tools, system }: PrepareInput) {
  return {
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools: fingerprint(tools) }),
    ...(system === undefined ? {} : { system: fingerprint(system) }),
  };
}

/** Puts messages into the window, part by part, so that others are served between. What was put in stays where a later part fails. */
async function take({ window, known }: OpenWindow, fresh: readonly Message[]): Promise<void> {
  for (const [place, part] of partsOfMessages(fresh, partLength).entries()) {
    if (place > 0) await loopTurn();
    const keys = part.map(keyOfMessage);
    await window.insert(part, { keys });
    for (const key of keys) known.push({ key });
  }
}

/**
 * Takes what is new of a conversation and gives the request to send.
 * The whole conversation, or its end, may be handed in as often as wanted; what the session has is not taken twice.
 * @throws 409 where it is another conversation; `CTX_WINDOW_OVERFLOW`, `CTX_WINDOW_STUCK`.
 */
export function prepare(windows: SessionWindows, input: PrepareInput): Promise<Prepared> {
  const { store, sessionId, mode, windowTokens, usage } = input;
  const place = { store, sessionId, ...(mode === undefined ? {} : { mode }) };
  return windows.use(place, async (open) => {
    const fresh = freshOf(open, input);
    const report = usage && (await open.window.observe(usage));
    open.sizes = await tellSizes(open, input);
    await take(open, fresh);
    const request = await open.window.request(store.clock(), partsOf(input));
    const limitTokens = limitTokensOf(windowModes[open.mode], windowTokens);
    const counts = { added: fresh.length, total: open.known.length };
    return { request, limitTokens, ...counts, ...(report === undefined ? {} : { report }) };
  });
}
