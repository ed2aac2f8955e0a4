import type { ContentBlock, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';

/** A number from 0 up to, but without, 1. */
export type Random = () => number;

/** A generator with a seed (mulberry32), so that every run sees the same histories. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What the histories are like. */
export interface SessionKind {
  readonly name: string;
  /** Share of the rounds of calls in which a result comes after the user has said something else. */
  readonly lateShare: number;
  /** Turns of the user, least and most. */
  readonly turns: readonly [number, number];
  /** Rounds of calls in a turn, least and most. */
  readonly rounds: readonly [number, number];
}

export const sessionKinds: readonly SessionKind[] = [
  { name: 'chats with tools', lateShare: 0, turns: [2, 8], rounds: [0, 4] },
  { name: 'loops of an agent', lateShare: 0, turns: [1, 3], rounds: [4, 16] },
  { name: 'chats with late results', lateShare: 0.15, turns: [2, 8], rounds: [0, 4] },
];

/** A history that ends where the model is asked, and its budget. */
export interface RandomSession {
  readonly messages: readonly Message[];
  /** Share of the history's tokens that the request may have. */
  readonly budgetShare: number;
}

interface Maker {
  readonly random: Random;
  readonly lateShare: number;
  calls: number;
}

const words = ['read', 'the', 'file', 'and', 'fix', 'error', 'in', 'line', 'value', 'test', 'of'];

function whole({ random }: Maker, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

function textOf(maker: Maker, most: number): string {
  const count = whole(maker, 3, most);
  return Array.from({ length: count }, () => words[whole(maker, 0, words.length - 1)]).join(' ');
}

function textMessage(maker: Maker, role: 'user' | 'assistant', most: number): Message {
  return { role, content: [{ type: 'text', text: textOf(maker, most) }] };
}

function callOf(maker: Maker): ToolUseBlock {
  maker.calls += 1;
  const id = `call_${String(maker.calls)}`;
  return { type: 'tool_use', id, name: 'read_file', input: { path: `src/${id}.ts` } };
}

function resultOf(maker: Maker, { id }: ToolUseBlock): ToolResultBlock {
  const text = textOf(maker, maker.random() < 0.2 ? 400 : 60);
  return { type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] };
}

/** One round: calls, perhaps several at once, and their results, the last of them late perhaps. */
function round(maker: Maker): Message[] {
  const count = maker.random() < 0.3 ? whole(maker, 2, 4) : 1;
  const calls = Array.from({ length: count }, () => callOf(maker));
  const said: ContentBlock[] =
    maker.random() < 0.4 ? [{ type: 'text', text: textOf(maker, 20) }] : [];
  const asked: Message = { role: 'assistant', content: [...said, ...calls] };
  const results = calls.map((call) => resultOf(maker, call));
  if (maker.random() >= maker.lateShare) return [asked, { role: 'user', content: results }];
  const inTime = results.slice(0, -1);
  const late = results.slice(-1);
  const first: Message[] = inTime.length === 0 ? [] : [{ role: 'user', content: inTime }];
  const between = [textMessage(maker, 'user', 15), textMessage(maker, 'assistant', 15)];
  return [asked, ...first, ...between, { role: 'user', content: late }];
}

/** Turns of a user, each with some rounds of calls; the last turn has no answer yet. */
export function randomSession(random: Random, kind: SessionKind): RandomSession {
  const { lateShare } = kind;
  const maker: Maker = { random, lateShare, calls: 0 };
  const messages: Message[] = [];
  const turns = whole(maker, ...kind.turns);
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push(textMessage(maker, 'user', 60));
    const isLast = turn === turns - 1;
    const rounds = whole(maker, ...kind.rounds);
    for (let count = 0; count < rounds; count += 1) messages.push(...round(maker));
    if (!isLast) messages.push(textMessage(maker, 'assistant', 80));
  }
  return { messages, budgetShare: 0.2 + 0.6 * random() };
}
