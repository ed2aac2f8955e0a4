import { fingerprint } from '@ctx/core/encoding';
import type { ContextManager } from '../../context-manager/context-manager.ts';
import type { ReplacedItem } from '../fit-input.ts';
import type { ItemShape } from '../host-types.ts';

/** The user's words that had to be shortened for a request, by what was sent in their place. */
const originals = new WeakMap<ContextManager, Map<string, ItemShape>>();

/** Shortened messages that are remembered, the newest. */
const maxOriginals = 64;

/** Remembers which words of the user went out as others: the SDK stores what was sent, the session puts the originals back. */
export function noteReplaced(manager: ContextManager, replaced: readonly ReplacedItem[]): void {
  if (replaced.length === 0) return;
  const known = originals.get(manager) ?? new Map<string, ItemShape>();
  originals.set(manager, known);
  for (const { original, sent } of replaced) known.set(fingerprint(sent), original);
  const tooMany = Math.max(0, known.size - maxOriginals);
  for (const key of [...known.keys()].slice(0, tooMany)) known.delete(key);
}

/** The originals in the place of what was sent. */
export function withOriginals(
  manager: ContextManager | undefined,
  items: readonly ItemShape[],
): readonly ItemShape[] {
  const known = manager === undefined ? undefined : originals.get(manager);
  if (known === undefined || known.size === 0) return items;
  return items.map((item) => known.get(fingerprint(item)) ?? item);
}
