import { importanceOf } from './importance.ts';
import { finishedCap, type ImportancePolicy, lowestOf, weightOfKind } from './importance-policy.ts';
import { boostOf, type RankInputs, rankEpoch, rankOf, touchedAtOf } from './rank.ts';
import { type Tier, tierBorder, tierOf } from './tier.ts';

/** The parts of an importance: min(1, min(weight · boost, cap) · decay), or 1 if the item is pinned. */
export interface ImportanceParts {
  /** When this was computed, ms since the epoch. */
  readonly at: number;
  readonly importance: number;
  readonly tier: Tier;
  readonly rank: number;
  /** Of the kind, or the item's own. */
  readonly weight: number;
  readonly isOwnWeight: boolean;
  /** The boost by reads: 1 + gain · ln(1 + reads). */
  readonly boost: number;
  /** Set if the item is finished: weight · boost counts at most this much. */
  readonly cap?: number;
  /** exp(−age / decay), at most 1. */
  readonly decay: number;
  /** Time since the item was last saved or read, ms. */
  readonly ageMs: number;
  readonly pinned: boolean;
  /** When the item falls to a lower tier unless it is touched, ms since the epoch; missing if it never does. */
  readonly next?: { readonly tier: Tier; readonly at: number };
}

/** Rounding moves the quotient by less than 1 ms; a few neighbours are tried. */
const mostTries = 5;

/** Returns the first whole ms at which a rank is below a tier. */
function firstBelow(rank: number, tier: 'hot' | 'warm', policy: ImportancePolicy): number {
  const guess = Math.ceil((rank - Math.log(lowestOf(tier, policy))) * policy.decayMs + rankEpoch);
  let at = guess - 2;
  for (let tries = 0; tries < mostTries && rank >= tierBorder(tier, at, policy); tries += 1)
    at += 1;
  return at;
}

/**
 * Explains an item's importance at `now`. `importance` and `tier` are those that queries compute from `rank`, by default the
 * rank of the item under this policy.
 */
export function explainImportance(
  item: RankInputs & { readonly rank?: number },
  policy: ImportancePolicy,
  now: number,
): ImportanceParts {
  const rank = item.rank ?? rankOf(item, policy);
  const tier = tierOf(rank, now, policy);
  const ageMs = Math.max(0, now - touchedAtOf(item));
  const next = nextTier({ rank, tier, pinned: item.pinned }, policy);
  return {
    at: now,
    importance: importanceOf(rank, now, policy),
    tier,
    rank,
    weight: item.weight ?? weightOfKind(item.kind, policy),
    isOwnWeight: item.weight !== undefined,
    boost: boostOf(item.accessCount, policy),
    ...(item.finishedAt === undefined ? {} : { cap: finishedCap(policy) }),
    decay: Math.exp(-ageMs / policy.decayMs),
    ageMs,
    pinned: item.pinned,
    ...(next === undefined ? {} : { next }),
  };
}

function nextTier(
  { rank, tier, pinned }: { rank: number; tier: Tier; pinned: boolean },
  policy: ImportancePolicy,
): ImportanceParts['next'] {
  if (pinned || tier === 'cold') return undefined;
  return tier === 'hot'
    ? { tier: 'warm', at: firstBelow(rank, 'hot', policy) }
    : { tier: 'cold', at: firstBelow(rank, 'warm', policy) };
}
