import type { Memory } from './memory.ts';
import type { MemoryHost } from './memory-host.ts';

type Receipt = Awaited<ReturnType<Memory['forget']>>;

/** Adds up what was done in two scopes. */
function joined(one: Receipt, other: Receipt): Receipt {
  return {
    wasKnown: one.wasKnown || other.wasKnown,
    sessions: [...new Set([...one.sessions, ...other.sessions])],
    compactions: one.compactions + other.compactions,
    checkpoints: one.checkpoints + other.checkpoints,
    remaining: [...one.remaining, ...other.remaining],
    notSearched: [...new Set([...one.notSearched, ...other.notSearched])],
  };
}

const nothing: Receipt = {
  ...{ wasKnown: false, sessions: [], compactions: 0, checkpoints: 0 },
  ...{ remaining: [], notSearched: [] },
};

/** Destroys a fact in each scope of a memory. */
export async function forgetFact(host: MemoryHost, name: string): Promise<Receipt> {
  const { store, owners, vectors } = host;
  let receipt = nothing;
  for (const { owner } of owners) {
    const id = (await store.facts.get(name, owner))?.id;
    const named = id === name ? { factId: name } : { text: name };
    receipt = joined(receipt, await store.facts.forget({ agentId: owner, ...named }));
    if (id !== undefined) vectors?.forget(owner, id);
  }
  return receipt;
}
