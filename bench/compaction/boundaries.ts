import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callsOf, type Message } from '@ctx/core';
import { canonicalMessage, type RecordedMessage } from './canonical.ts';

/** A place where an agent really compacted its conversation. */
export interface Boundary {
  readonly name: string;
  /** What the agent had in view: from the compaction before it, with that one's summary. */
  readonly history: readonly Message[];
  /** What came next, up to 40 calls. */
  readonly next: readonly Message[];
  /** The summary that the agent's model wrote. */
  readonly summary: string;
}

/** Calls after the boundary that are looked at. */
const nextCalls = 40;

interface RecordedSession {
  readonly id: string;
  readonly meta?: {
    readonly compaction_events?: readonly { readonly kind: string; readonly message?: number }[];
  };
  readonly messages: readonly RecordedMessage[];
}

/** Every recorded compaction below `folder` with at least ten calls after it. */
export function loadBoundaries(folder: string): Boundary[] {
  return sessionFiles(join(folder, 'transcripts')).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    if (!text.includes('"compaction_events"')) return [];
    return boundariesOf(JSON.parse(text) as RecordedSession);
  });
}

/** Calls that a session must have for a cut in its middle. */
const leastCalls = 8;

/**
 * Sessions of the named sets, cut after half of their calls as if they had been compacted there; nothing of a model's to compare with.
 */
export function loadCuts(folder: string, sets: readonly string[]): Boundary[] {
  const files = sets.flatMap((set) => sessionFiles(join(folder, 'transcripts', set)));
  return files.flatMap((file) => {
    const { id, messages } = JSON.parse(readFileSync(file, 'utf8')) as RecordedSession;
    const canonical = messages.map((message) => canonicalMessage(message));
    const callers = canonical.flatMap((message, index) => callsOf(message).map(() => index));
    const place = callers[Math.floor(callers.length / 2)];
    if (callers.length < leastCalls || place === undefined) return [];
    const [history, next] = [canonical.slice(0, place), nextPart(canonical.slice(place))];
    return [{ name: id, history, next, summary: '' }];
  });
}

function sessionFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sessionFiles(path);
      return entry.name.endsWith('.json') ? [path] : [];
    })
    .sort();
}

function boundariesOf({ id, meta, messages }: RecordedSession): Boundary[] {
  const places = (meta?.compaction_events ?? []).flatMap(({ kind, message }) =>
    kind === 'summary' && message !== undefined ? [message] : [],
  );
  const canonical = messages.map((message) => canonicalMessage(message));
  return places.flatMap((place, index) => {
    const start = index === 0 ? 0 : (places[index - 1] ?? 0);
    const next = nextPart(canonical.slice(place + 1));
    const summary = canonical[place];
    if (summary === undefined || next.flatMap(callsOf).length < 10) return [];
    const name = `${id}/${place}`;
    return [
      { name, history: withResults(canonical, start, place), next, summary: saidIn(summary) },
    ];
  });
}

/** The messages before the summary, and the results that stand in one message with it. */
function withResults(messages: readonly Message[], start: number, place: number): Message[] {
  const results = messages[place]?.content.filter((block) => block.type === 'tool_result') ?? [];
  const before = messages.slice(start, place);
  return results.length === 0 ? before : [...before, { role: 'user', content: results }];
}

function nextPart(messages: readonly Message[]): Message[] {
  let calls = 0;
  const end = messages.findIndex((message) => {
    calls += callsOf(message).length;
    return calls > nextCalls;
  });
  return end === -1 ? [...messages] : messages.slice(0, end);
}

function saidIn({ content }: Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
