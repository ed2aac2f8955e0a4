/** What a manifest says of one record. */
export interface ManifestEntry {
  readonly id: string;
  /** SHA-256 (hex) of its content. */
  readonly fingerprint: string;
  /** HOT, WARM or COLD, where the manifest is one of items. */
  readonly tier?: string;
}

/** What there was at a moment, in no particular order; each id once. */
export type Manifest = readonly ManifestEntry[];

export interface ManifestDiff {
  /** In the order of `after`. */
  readonly added: readonly ManifestEntry[];
  /** Another fingerprint or tier, in the order of `after`. */
  readonly changed: readonly { readonly before: ManifestEntry; readonly after: ManifestEntry }[];
  /** In the order of `before`. */
  readonly removed: readonly ManifestEntry[];
  readonly unchangedCount: number;
}

/**
 * Tells what changed between two manifests.
 * Pure; of an id given twice the last entry counts. Makes one pass over each.
 */
export function diffManifests(before: Manifest, after: Manifest): ManifestDiff {
  const old = byId(before);
  const current = byId(after);
  const added: ManifestEntry[] = [];
  const changed: { before: ManifestEntry; after: ManifestEntry }[] = [];
  for (const entry of current.values()) {
    const earlier = old.get(entry.id);
    if (!earlier) added.push(entry);
    else if (!isSame(earlier, entry)) changed.push({ before: earlier, after: entry });
  }
  const removed = [...old.values()].filter((entry) => !current.has(entry.id));
  return { added, changed, removed, unchangedCount: current.size - added.length - changed.length };
}

function byId(manifest: Manifest): ReadonlyMap<string, ManifestEntry> {
  return new Map(manifest.map((entry) => [entry.id, entry]));
}

function isSame(a: ManifestEntry, b: ManifestEntry): boolean {
  return a.fingerprint === b.fingerprint && a.tier === b.tier;
}
