import type { z } from 'zod';

type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;

/** What a schema describes, to read only. */
export type Answer<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;
