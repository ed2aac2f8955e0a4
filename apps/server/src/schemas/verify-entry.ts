import { z } from 'zod';

const count = z.int().min(0);

/** What a check of the store found. */
export const verifySummarySchema = z.object({
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
  gone: z.object({ results: count, contents: count }),
});
