import type { z } from 'zod';

/** A place in JSON as RFC 6901 writes it: the empty text is the whole. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path
    .map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** What a schema refused, as fastify hands it on. */
interface Refusal {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

type Validated = { readonly value: unknown } | { readonly error: Refusal[] };

/** Makes the check of one part of a request; what the schema makes of the part takes its place. */
export function zodValidator({
  schema,
}: {
  readonly schema: z.ZodType;
}): (data: unknown) => Validated {
  return (data) => {
    const { error, data: value } = schema.safeParse(data);
    if (error === undefined) return { value };
    return {
      error: error.issues.map(({ path, code, message }) => {
        const instancePath = pointerOf(path);
        const schemaPath = `#${instancePath}`;
        return { keyword: code, instancePath, schemaPath, params: {}, message };
      }),
    };
  };
}
