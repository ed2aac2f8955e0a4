import { z } from 'zod';

/** One thing that is wrong. */
export interface VerifyFinding {
  /**
   * `damaged-file`, `broken-record`, `wrong-checksum`, `dangling-pointer`, `wrong-count`, `gap`, `orphan`, `not-found-by-search` or
   * `unfinished-purge`.
   */
  readonly kind: string;
  readonly collection: string;
  readonly key: readonly string[];
  readonly what: string;
  /** What `--repair` would do; missing where nothing can be done. */
  readonly repair?: string;
  /** What `--repair` did. */
  readonly repaired?: string;
}

/** What `ctx verify --json` answers. */
export interface VerifyAnswer {
  readonly store: string;
  readonly tenants: number;
  readonly records: number;
  /** At most 1,000 of them. */
  readonly findings: readonly VerifyFinding[];
  readonly problems: number;
  /** Problems that are still there. */
  readonly left: number;
  readonly repaired: {
    readonly quarantined: number;
    readonly mended: number;
    readonly removed: number;
  };
  /** Where quarantined records lie now. */
  readonly quarantine?: string;
  /** Pointers to what was deleted, let go by retention, or purged: expected, no problem. */
  readonly gone: { readonly results: number; readonly contents: number };
}

const count: z.ZodType<number> = z.int().min(0);

export const verifyAnswerSchema: z.ZodType<VerifyAnswer> = z.object({
  store: z.string(),
  tenants: count,
  records: count,
  findings: z.array(
    z.object({
      kind: z.string(),
      collection: z.string(),
      key: z.array(z.string()),
      what: z.string(),
      repair: z.string().exactOptional(),
      repaired: z.string().exactOptional(),
    }),
  ),
  problems: count,
  left: count,
  repaired: z.object({ quarantined: count, mended: count, removed: count }),
  quarantine: z.string().exactOptional(),
  gone: z.object({ results: count, contents: count }),
});
