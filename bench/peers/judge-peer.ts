import { type Message, validateMessages } from '@ctx/core';
import { type Peer, totalOf } from './peer.ts';
import { randomSession, type SessionKind, seededRandom } from './random-sessions.ts';

/** How a peer did on the histories of one kind. */
export interface PeerReport {
  readonly peer: string;
  readonly format: string;
  readonly sessions: number;
  /** Sessions for which it made no request. */
  readonly declined: number;
  /** Requests in which calls and results do not match: refused by every provider. */
  readonly refused: number;
  /** Requests that only begin with the assistant: refused by some providers. */
  readonly ledByAssistant: number;
  /** Requests in which a call has no result at all, or a result no call. */
  readonly torn: number;
  /** One request for each kind of violation, in outline. */
  readonly examples: Readonly<Record<string, string>>;
}

/** Whether a call has no result in the whole request, or a result no call. */
function isTorn(messages: readonly Message[]): boolean {
  const blocks = messages.flatMap(({ content }) => content);
  const calls = new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
  const results = new Set(
    blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
  );
  return calls.size !== results.size || [...calls].some((id) => !results.has(id));
}

/** A request in few words: `user text · assistant call_1 · results call_1`. */
function outline(messages: readonly Message[]): string {
  const shown = messages.map(({ role, content }) => {
    const parts = content.map((block) => {
      if (block.type === 'tool_use') return `call ${block.id}`;
      return block.type === 'tool_result' ? `result ${block.toolUseId}` : block.type;
    });
    return `${role}: ${parts.join(', ')}`;
  });
  return shown.length <= 4 ? shown.join(' | ') : `${shown.slice(0, 4).join(' | ')} | …`;
}

interface Sums {
  declined: number;
  refused: number;
  ledByAssistant: number;
  torn: number;
  readonly examples: Map<string, string>;
}

function take(sums: Sums, messages: readonly Message[]): void {
  const kinds = new Set<string>(validateMessages(messages).map(({ kind }) => kind));
  for (const kind of kinds)
    if (!sums.examples.has(kind)) sums.examples.set(kind, outline(messages));
  const isLed = kinds.delete('first-not-user');
  if (kinds.size > 0) sums.refused += 1;
  else if (isLed) sums.ledByAssistant += 1;
  if (isTorn(messages)) sums.torn += 1;
}

/** Gives a peer the same seeded histories as every other, and judges each request that it makes. */
export async function judgePeer(
  peer: Peer,
  kind: SessionKind,
  { sessions, seed }: { readonly sessions: number; readonly seed: number },
): Promise<PeerReport> {
  const random = seededRandom(seed);
  const sums: Sums = { declined: 0, refused: 0, ledByAssistant: 0, torn: 0, examples: new Map() };
  for (let count = 0; count < sessions; count += 1) {
    const { messages, budgetShare } = randomSession(random, kind);
    const before = JSON.stringify(messages);
    const fitted = await peer.fit(messages, Math.floor(totalOf(messages) * budgetShare));
    if (JSON.stringify(messages) !== before) throw new Error(`${peer.name} changed its input`);
    if (fitted === undefined || fitted.length === 0) sums.declined += 1;
    else take(sums, fitted);
  }
  const { examples, ...counts } = sums;
  const { name, format } = peer;
  return { peer: name, format, sessions, ...counts, examples: Object.fromEntries(examples) };
}
