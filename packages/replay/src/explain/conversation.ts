import { repairMessages } from '@ctx/core';
import type { ToolSchema } from '@ctx/tokens';
import {
  lastViewOf,
  requestsOf,
  type StoredEvent,
  type TranscriptEvent,
  toolsOf,
} from '@ctx/transcripts';
import { pointerUri } from '@ctx/truncation';
import type { ReplaySession } from '../replay-session.ts';
import { recordedTimes, systemText } from '../sessions/load-sessions.ts';
import type { ExplainedRequest } from './explained.ts';

/** What a log tells of requests besides their messages. Tokens. */
interface ToldSizes
  extends Pick<ExplainedRequest, 'windowTokens' | 'limitTokens' | 'systemTokens' | 'toolTokens'> {
  /** Everything that stands before the messages. */
  readonly fixedTokens: number;
}

/** A recorded conversation whose requests can be explained. */
export interface Conversation {
  readonly session: ReplaySession;
  readonly tools: readonly ToolSchema[];
  /** Addresses of the results that a store keeps, by call id. */
  readonly pointers: ReadonlyMap<string, string>;
  /** Messages of the record that the model no longer saw. */
  readonly asideMessages: number;
  /** The model that answered all of its requests, as the record names it. */
  readonly model?: string;
  /** Stands for system prompt and tools where their text is not known. */
  readonly told?: ToldSizes;
}

/** Returns the conversation of a transcript's events as its model last saw it. */
export function conversationOf(
  id: string,
  events: readonly TranscriptEvent[],
  pointers: ReadonlyMap<string, string> = new Map(),
): Conversation {
  const view = lastViewOf(events);
  const { messages } = repairMessages(view.messages);
  const sequence = requestsOf(view.events, { lane: view.lane });
  const times = recordedTimes(sequence);
  const system = systemText(view.system);
  const session = {
    id,
    messages,
    ...(system === undefined ? {} : { system }),
    ...(times === undefined ? {} : { times }),
  };
  const about = { session, tools: toolsOf(events), asideMessages: view.asideMessages, pointers };
  const [model, ...others] = new Set(sequence.requests.map((request) => request.model));
  return model === undefined || others.length > 0 ? about : { ...about, model };
}

function pointersOfEvent({ event, results }: StoredEvent): [string, string][] {
  return results.flatMap(({ block, output }): [string, string][] => {
    const found = event.message?.content[block];
    return found?.type === 'tool_result' ? [[found.toolUseId, pointerUri(output)]] : [];
  });
}

/** Returns the addresses of the results of imported events, by call id. */
export function pointersOf(events: readonly StoredEvent[]): Map<string, string> {
  return new Map(events.flatMap((event) => pointersOfEvent(event)));
}

/** Returns the conversation of a session whose messages are in the log of its window. */
export function conversationOfWindow(id: string, explained: ExplainedRequest): Conversation {
  const { segments, systemTokens, toolTokens, fixedTokens = 0, ...sizes } = explained;
  const { windowTokens, limitTokens } = sizes;
  const fixed = systemTokens + toolTokens + fixedTokens;
  const told = { windowTokens, limitTokens, systemTokens, toolTokens, fixedTokens: fixed };
  const messages = [...new Set(segments.map(({ message }) => message))];
  const results = segments.flatMap(({ block, reason }): [string, string][] => {
    const isKept = block.type === 'tool_result' && reason.pointer.startsWith('ctx://outputs/');
    return isKept ? [[block.toolUseId, reason.pointer]] : [];
  });
  const pointers = new Map(results);
  return { session: { id, messages }, tools: [], pointers, asideMessages: 0, told };
}
