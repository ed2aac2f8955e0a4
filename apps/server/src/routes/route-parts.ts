import type { Page, PageRequest } from '@ctx/store';
import { z } from 'zod';
import { urlId } from '../http/id-in-url.ts';

/** Most entries of one page over HTTP. */
export const maxHttpPage = 200;

/** A whole number in a query. */
export function wholeNumber(least: number, most: number): z.ZodType<number> {
  return z.coerce.number().int().min(least).max(most);
}

/** The members of a query that pages. */
export const pageMembers: {
  readonly limit: z.ZodDefault<z.ZodType<number>>;
  readonly cursor: z.ZodOptional<z.ZodString>;
} = {
  limit: wholeNumber(1, maxHttpPage).default(50).describe('Most entries, up to 200'),
  cursor: z.string().min(1).max(8192).optional().describe('`next` of the answer before'),
};

/** The page that a query asks for. */
export function pageOf(query: {
  readonly limit: number;
  readonly cursor?: string | undefined;
}): PageRequest {
  const { limit, cursor } = query;
  return cursor === undefined ? { limit } : { limit, after: cursor };
}

/** The end of a list's answer: where to go on, and what could not be read. */
export const pageEnd = {
  next: z.string().exactOptional().describe('Give it as `cursor` to read on; missing at the end'),
  unreadable: z
    .array(z.object({ code: z.literal('CTX_STORE_CORRUPT'), detail: z.string() }))
    .exactOptional()
    .describe(
      'The records that this page leaves out because they are damaged; missing if none are',
    ),
};

/** Returns the end of the answer with a page. */
export function endOf({ next, unreadable }: Page<unknown>): z.infer<z.ZodObject<typeof pageEnd>> {
  return {
    ...(next === undefined ? {} : { next }),
    ...(unreadable && {
      unreadable: unreadable.map((detail) => ({ code: 'CTX_STORE_CORRUPT', detail })),
    }),
  };
}

export const sessionParams: z.ZodType<{ session: string }, { session: string }> = z.strictObject({
  session: urlId,
});

export const agentParams: z.ZodType<{ agent: string }, { agent: string }> = z.strictObject({
  agent: urlId,
});

/** The query of a route that takes none. */
export const noQuery: z.ZodType<Record<string, never>> = z.strictObject({});
