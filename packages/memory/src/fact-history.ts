import { CtxError } from '@ctx/core';
import type { AgentFact } from '@ctx/store';
import { factsOfOwner } from './facts-of-owner.ts';
import { given } from './given.ts';
import { addFact } from './keep-fact.ts';
import type { KeptFact, Memory } from './memory.ts';
import { type MemoryFact, memoryFactOf, type ScopeOwner } from './memory-fact.ts';
import type { MemoryHost } from './memory-host.ts';

/** Facts that are looked through for those that took the place of one. */
const mostSince = 100_000;

/** Facts about one matter that a history is made of: those that changed last. */
const mostTold = 1000;

/** A stored fact, and whose it is. */
interface FoundFact extends ScopeOwner {
  readonly fact: AgentFact;
}

/** The fact with an id or a text, in the narrowest scope that has it. */
export async function findFact(
  { store, owners }: MemoryHost,
  name: string,
): Promise<FoundFact | undefined> {
  for (const owner of owners) {
    const fact = await store.facts.get(name, owner.owner);
    if (fact !== undefined) return { ...owner, fact };
  }
  return undefined;
}

/** The facts about the same matter. */
async function rivalsOf({ store }: MemoryHost, { fact, owner }: FoundFact): Promise<AgentFact[]> {
  const { subject, attribute } = fact.detail ?? {};
  if (subject === undefined || attribute === undefined) return [];
  const about = { subject, attribute };
  return [...(await store.facts.list({ agentId: owner, about, limit: mostTold })).entries];
}

/** The facts that took the place of one by name. */
async function followersOf(
  { store }: MemoryHost,
  { fact, owner }: FoundFact,
): Promise<AgentFact[]> {
  const followers: AgentFact[] = [];
  for await (const one of factsOfOwner(store, owner, mostSince)) {
    // What took its place changed when it ended, or later.
    if (one.updatedAt < fact.updatedAt) break;
    if (one.supersedes.includes(fact.text)) followers.push(one);
  }
  return followers;
}

/** Those about the same matter, those that a fact took the place of, and those that took its place. */
async function kinOf(host: MemoryHost, found: FoundFact): Promise<AgentFact[]> {
  const { fact, owner } = found;
  const later = [...(await rivalsOf(host, found)), ...(await followersOf(host, found))];
  const texts = new Set([fact, ...later].flatMap(({ supersedes }) => supersedes));
  const before: AgentFact[] = [];
  for (const text of texts) {
    const one = await host.store.facts.get(text, owner);
    if (one !== undefined) before.push(one);
  }
  const kin = new Map([fact, ...later, ...before].map((one) => [one.id, one]));
  return [...kin.values()];
}

/** Each stretch of time in which a fact held. */
function stretchesOf(fact: AgentFact, level: ScopeOwner['level']): MemoryFact[] {
  const { validTo: _last, ...told } = memoryFactOf(fact, level);
  const { detail, createdAt } = fact;
  return (detail?.periods ?? [{ from: createdAt }]).map(({ from, to }) => ({
    ...told,
    validFrom: from,
    ...given({ validTo: to }),
  }));
}

/** What held about the matter of a fact, oldest first. */
export async function factHistory(host: MemoryHost, name: string): Promise<readonly MemoryFact[]> {
  const found = await findFact(host, name);
  if (found === undefined) return [];
  const facts = await kinOf(host, found);
  return facts
    .flatMap((fact) => stretchesOf(fact, found.level))
    .sort((a, b) => a.validFrom - b.validFrom || (a.validTo ?? Infinity) - (b.validTo ?? Infinity));
}

/** Replaces a fact. */
export async function correctFact(
  host: MemoryHost,
  name: string,
  correction: Parameters<Memory['correct']>[1],
): Promise<KeptFact> {
  const found = await findFact(host, name);
  if (found === undefined) throw new CtxError('CTX_NOT_FOUND', `no fact ${JSON.stringify(name)}`);
  const { kind, subject, attribute } = found.fact.detail ?? {};
  return addFact(host, {
    ...given({ kind, subject, attribute }),
    ...correction,
    scope: found.level,
    pinned: found.fact.pinned,
    supersedes: found.fact.text,
  });
}
