import type { FindingKind, RepairHow } from './finding.ts';
import type { VerifyReceipt } from './verify-store.ts';

/** A finding as callers are told of it: without what a repair writes. */
export interface FindingSummary {
  readonly kind: FindingKind;
  readonly collection: string;
  readonly key: string[];
  readonly what: string;
  /** What a repair would do. Missing if nothing can be done. */
  readonly repair?: RepairHow;
  /** What a repair did. */
  readonly repaired?: RepairHow;
}

/** What a check found, in numbers and in at most 1,000 findings. */
export interface VerifySummary {
  readonly tenants: number;
  readonly records: number;
  readonly findings: FindingSummary[];
  readonly problems: number;
  /** Problems that are still there. */
  readonly left: number;
  readonly repaired: Record<RepairHow, number>;
  /** Pointers to what was deleted, let go by retention, or purged: expected, no problem. */
  readonly gone: { readonly results: number; readonly contents: number };
}

/** Most findings that are named; all are counted. */
const mostNamed = 1000;

/** Counts what a check found, and names the first findings. */
export function verifySummaryOf({
  tenants,
  records,
  findings,
  gone,
}: VerifyReceipt): VerifySummary {
  const countOf = (how: RepairHow) => findings.filter(({ repaired }) => repaired === how).length;
  return {
    tenants,
    records,
    findings: findings
      .slice(0, mostNamed)
      .map(({ kind, collection, key, what, repair, repaired }) => ({
        ...{ kind, collection, key: [...key], what },
        ...(repair && { repair: repair.how }),
        ...(repaired && { repaired }),
      })),
    problems: findings.length,
    left: findings.filter(({ repaired }) => repaired === undefined).length,
    repaired: {
      quarantined: countOf('quarantined'),
      mended: countOf('mended'),
      removed: countOf('removed'),
    },
    gone: { results: gone['result of a log'], contents: gone['content of a checkpoint'] },
  };
}
