import { CtxError, type Message } from '@ctx/core';
import { type Ending, withEnded } from './ended-facts.ts';
import { given } from './given.ts';
import type { FactStatement, KeptFact, Observation } from './memory.ts';
import {
  type MemoryScope,
  memoryFactOf,
  ownerOf,
  type ScopeLevel,
  usualLevel,
} from './memory-fact.ts';
import type { MemoryHost } from './memory-host.ts';
import { mostCharacters, refusalOf } from './observe/check-proposal.ts';
import { type ProposedFact, saidIn } from './observe/observer.ts';
import { readStatement } from './read-statement.ts';
import { embedTexts, type FactVector, nameOfEmbedder, vectorRecord } from './recall/embedder.ts';
import { withinTime } from './within-time.ts';

type StoredStatement = Parameters<MemoryHost['store']['facts']['remember']>[0];
type StoredDetail = NonNullable<StoredStatement['detail']>;

/** Time of one request to a model that observes, ms: they write more than embedders. */
const observeTimeoutMs = 60_000;

/** The vectors of texts; none without an embedder, or where it fails. */
async function vectorsOf(
  { embedder, timeoutMs, tell }: MemoryHost,
  texts: readonly string[],
): Promise<readonly (FactVector | undefined)[]> {
  if (embedder === undefined || texts.length === 0) return [];
  try {
    const work = (signal: AbortSignal) => embedTexts(embedder, texts, signal);
    const vectors = await withinTime(work, { timeoutMs });
    return vectors.map((vector) => vectorRecord(nameOfEmbedder(embedder), vector));
  } catch (error) {
    tell({ type: 'degraded', during: 'embed', error });
    return [];
  }
}

/** A fact ready to be kept, and where. */
interface Draft extends Ending {
  readonly level: ScopeLevel;
  readonly statement: StoredStatement;
}

/** The scope that a fact asks for, if the memory has it. */
function levelOf(scope: MemoryScope, asked: ScopeLevel | undefined): ScopeLevel {
  return asked !== undefined && ownerOf(scope, asked) !== undefined ? asked : usualLevel(scope);
}

async function keep(host: MemoryHost, drafts: readonly Draft[]): Promise<KeptFact[]> {
  const vectors = await vectorsOf(
    host,
    drafts.map(({ statement }) => statement.text),
  );
  const kept: KeptFact[] = [];
  for (const [at, draft] of drafts.entries()) {
    const { level } = draft;
    const vector = vectors[at];
    const statement = await withEnded(host, draft.statement, draft);
    const { detail } = statement;
    const complete =
      vector === undefined || detail === undefined
        ? statement
        : { ...statement, detail: { ...detail, vector } };
    const { fact, isNew, ended } = await host.store.facts.remember(complete);
    const told = {
      fact: memoryFactOf(fact, level),
      isNew,
      ended: ended.map((one) => memoryFactOf(one, level)),
    };
    host.tell({ type: 'kept', kept: told });
    kept.push(told);
  }
  return asTheyStand(kept);
}

/** The facts in their final state: a later one may have ended an earlier one. */
function asTheyStand(kept: readonly KeptFact[]): KeptFact[] {
  const last = new Map(kept.flatMap(({ ended }) => ended.map((one) => [one.id, one])));
  return kept.map((one) => ({ ...one, fact: last.get(one.fact.id) ?? one.fact }));
}

/** The details of a fact that was stated outright: what the rules read in it, unless the caller says more. */
function draftOf(
  { kind, subject, attribute, validFrom, validTo }: FactStatement,
  read: Partial<ProposedFact>,
): Ending & { readonly detail: StoredDetail } {
  const isNamed = subject !== undefined && attribute !== undefined;
  const matter = isNamed ? { subject, attribute } : read;
  const detail = {
    kind: kind ?? read.kind ?? 'preference',
    confidence: 1,
    ...given({ subject: matter.subject, attribute: matter.attribute, validFrom, validTo }),
  };
  return isNamed
    ? { detail, isNamed }
    : { detail, ...given({ ends: read.ends, denies: read.denies }) };
}

/** Keeps a fact that was stated outright, or several where one statement tells them. */
export async function addFact(host: MemoryHost, statement: FactStatement): Promise<KeptFact> {
  const { text: whole, source = 'user', trust, sessionId, pinned, supersedes } = statement;
  const level = statement.scope ?? usualLevel(host.scope);
  const agentId = ownerOf(host.scope, level);
  if (agentId === undefined) {
    throw new CtxError('CTX_INVALID_INPUT', `this memory has no scope ${level}`);
  }
  if (whole.trim().length > mostCharacters) {
    const [limit, length] = [mostCharacters, whole.length].map(String);
    throw new CtxError('CTX_TOO_LARGE', `a fact may have ${limit} characters, got ${length}`);
  }
  const drafts = (await readStatement(statement)).map(({ text, ...read }) => {
    const { detail, ...about } = draftOf(statement, read);
    const more = given({ sessionId, pinned, supersedes, trust });
    return { level, ...about, statement: { text, source, agentId, detail, ...more } };
  });
  const [kept, ...more] = await keep(host, drafts);
  if (kept === undefined) throw new CtxError('CTX_STORE_IO', 'the fact was not kept');
  return more.length === 0 ? kept : { ...kept, more };
}

/** Where and when the messages that are read were said. */
export interface SaidWhere {
  readonly sessionId: string;
  readonly from?: number;
  readonly saidAt?: number | readonly number[];
  readonly signal?: AbortSignal;
}

async function proposed(
  host: MemoryHost,
  said: ReturnType<typeof saidIn>,
  signal: AbortSignal | undefined,
): Promise<ProposedFact[]> {
  const found: ProposedFact[] = [];
  for (const observer of host.observers) {
    try {
      const work = (stop: AbortSignal) => observer.observe(said, { signal: stop });
      const timeoutMs = Math.max(host.timeoutMs, observeTimeoutMs);
      found.push(...(await withinTime(work, { timeoutMs, signal })));
    } catch (error) {
      if (signal?.aborted === true) throw error;
      host.tell({ type: 'degraded', during: 'observe', error });
    }
  }
  return found.sort((a, b) => a.sequence - b.sequence);
}

/** Reads messages, and keeps what can be believed of what the observers propose. */
export async function observeMessages(
  host: MemoryHost,
  messages: readonly Message[],
  { sessionId, from = 0, saidAt, signal }: SaidWhere,
): Promise<Observation> {
  const said = saidIn(messages, from);
  const timeOf = (at: number) => (typeof saidAt === 'number' ? saidAt : saidAt?.[at]);
  const bySequence = new Map(said.map((message) => [message.sequence, message]));
  const refused: { fact: ProposedFact; reason: string }[] = [];
  const drafts: Draft[] = [];
  for (const fact of said.length === 0 ? [] : await proposed(host, said, signal)) {
    const reason = refusalOf(fact, bySequence);
    if (reason !== undefined) {
      refused.push({ fact, reason });
      host.tell({ type: 'refused', fact, reason });
      continue;
    }
    const { text, scope, sequence, confidence = 1, ends, denies, ...about } = fact;
    const level = levelOf(host.scope, scope);
    const address = `ctx://messages/${String(sequence)}`;
    const time = given({ saidAt: timeOf(sequence - from) });
    const source = bySequence.get(sequence)?.speaker ?? 'assistant';
    const agentId = ownerOf(host.scope, level) ?? '';
    const detail = { ...about, address, sequence, confidence, ...time };
    const statement = { text, source, sessionId, agentId, detail };
    drafts.push({ level, statement, ...given({ ends, denies }) });
  }
  return { kept: await keep(host, drafts), refused };
}
