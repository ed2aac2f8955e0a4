import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { checkedMemory } from './check/check-calls.ts';
import { checkOptions } from './check/check-options.ts';
import { correctFact, factHistory, findFact } from './fact-history.ts';
import { factsOfOwner } from './facts-of-owner.ts';
import { forgetFact } from './forget-fact.ts';
import { given } from './given.ts';
import { addFact, observeMessages } from './keep-fact.ts';
import type { Memory } from './memory.ts';
import {
  heldAt,
  type MemoryFact,
  memoryFactOf,
  ownerOf,
  ownersOf,
  scopeOfOwner,
  usualLevel,
} from './memory-fact.ts';
import type { MemoryHost } from './memory-host.ts';
import type { MemoryOptions } from './memory-options.ts';
import { rules } from './observe/rules.ts';
import { promptBlock } from './prompt-block.ts';
import { embedTexts, type FactVector, nameOfEmbedder, vectorRecord } from './recall/embedder.ts';
import { recallFacts } from './recall/recall-facts.ts';
import { vectorIndex } from './recall/vector-index.ts';
import { withinTime } from './within-time.ts';

/** Facts that a prompt block is chosen from, for each scope: those that changed last. */
const mostInBlock = 1000;

/** Facts of one scope that get vectors. */
const mostEmbedded = 100_000;

/** Facts that get vectors with one write. */
const embedSize = 64;

/** A caller without types hears of it now, not in the first recall. */
function checkStore(store: Partial<ContextStore> | null | undefined): void {
  if (typeof store?.facts?.list === 'function') return;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `store must be an open store, got ${typeof store}: await openStore() or the opener of a backend first`,
  );
}

function hostOf(store: ContextStore, asked: MemoryOptions): MemoryHost {
  checkStore(store);
  const options = Object(asked) as MemoryOptions;
  checkOptions(options);
  const { scope: place = 'default', observe = rules(), timeoutMs = 10_000, embedder } = options;
  const scope = typeof place === 'string' ? scopeOfOwner(place) : place;
  const { reranker, rerankWeight, onEvent: tell = () => undefined } = options;
  const vectors = embedder && vectorIndex(store, embedder);
  return {
    ...{ store, scope, timeoutMs, tell },
    owners: ownersOf(scope),
    observers: 'observe' in observe ? [observe] : observe,
    ...given({ embedder, vectors, reranker, rerankWeight }),
  };
}

/** The facts that hold now, in all scopes: of those about one matter that of the narrowest scope, and there the one that began last. */
async function currentFacts({ store, owners }: MemoryHost): Promise<MemoryFact[]> {
  const current = new Map<string, MemoryFact>();
  const now = store.clock();
  for (const { owner, level } of owners) {
    for await (const stored of factsOfOwner(store, owner, mostInBlock)) {
      if (!heldAt(stored, { now })) continue;
      const fact = memoryFactOf(stored, level);
      const { subject, attribute, id } = fact;
      const isNamed = subject !== undefined && attribute !== undefined;
      const matter = JSON.stringify(isNamed ? [subject, attribute] : [level, id]);
      const known = current.get(matter);
      const isBetter = known?.scope === level && known.validFrom < fact.validFrom;
      if (known === undefined || isBetter) current.set(matter, fact);
    }
  }
  return [...current.values()];
}

async function reembed(host: MemoryHost, signal: AbortSignal | undefined): Promise<number> {
  const { embedder, vectors, store, owners, timeoutMs } = host;
  if (embedder === undefined) {
    throw new CtxError(
      'CTX_INVALID_OPTION',
      'this memory has no embedder: give it one to embed facts',
    );
  }
  let written = 0;
  const model = nameOfEmbedder(embedder);
  for (const { owner } of owners) {
    const facts: { readonly id: string; readonly text: string }[] = [];
    for await (const { id, text } of factsOfOwner(store, owner, mostEmbedded))
      facts.push({ id, text });
    for (let at = 0; at < facts.length; at += embedSize) {
      const batch = facts.slice(at, at + embedSize);
      const texts = batch.map(({ text }) => text);
      const placed = await withinTime((stop) => embedTexts(embedder, texts, stop), {
        timeoutMs,
        signal,
      });
      const byId = new Map<string, FactVector>();
      placed.forEach((vector, place) =>
        byId.set(batch[place]?.id ?? '', vectorRecord(model, vector)),
      );
      written += await store.facts.setVectors(owner, byId);
    }
  }
  vectors?.clear();
  return written;
}

/**
 * Makes the memory of a user, an agent, a session or a tenant over a store. Nothing is read before the first call; the store stays the
 * caller's. Works without a model and without an embedder.
 * @throws `CTX_INVALID_INPUT` without an open store, `CTX_INVALID_OPTION` for options that make no sense.
 */
export function createMemory(store: ContextStore, options: MemoryOptions = {}): Memory {
  const host = hostOf(store, options);
  const { scope, tell } = host;
  return checkedMemory({
    observe: (messages, place) => observeMessages(host, messages, place),
    add: (fact) => addFact(host, fact),
    recall: (query, request = {}) =>
      recallFacts(
        {
          ...host,
          degraded: (during, error) => {
            tell({ type: 'degraded', during, error });
          },
        },
        { ...request, query },
      ),
    list: async ({ scope: level = usualLevel(scope), ...request } = {}) => {
      const agentId = ownerOf(scope, level);
      if (agentId === undefined) {
        throw new CtxError('CTX_INVALID_INPUT', `this memory has no scope ${level}`);
      }
      const page = await store.facts.list({ ...request, agentId });
      return { ...page, entries: page.entries.map((fact) => memoryFactOf(fact, level)) };
    },
    get: async (fact) => {
      const found = await findFact(host, fact);
      return found && memoryFactOf(found.fact, found.level);
    },
    history: (fact) => factHistory(host, fact),
    correct: (fact, correction) => correctFact(host, fact, correction),
    forget: (fact) => forgetFact(host, fact),
    block: async ({ maxTokens = 1000 } = {}) =>
      promptBlock(await currentFacts(host), { maxTokens, countTokens: store.countTokens }),
    reembed: ({ signal } = {}) => reembed(host, signal),
  });
}
