import type { paths } from '@ctx/server/client';

/** What the server answers at a path. */
export type Json<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** Most entries that are asked for at once; the server gives no more. */
export const pageSize = 200;
