import { z } from 'zod';
import { idInUrl, plainId } from '../client/id-in-url.ts';

/** Longest id in bytes that stores take. */
const maxIdBytes = 1024;

function decoded(text: string): string | undefined {
  const bytes = Buffer.from(text.slice(1), 'base64url');
  if (bytes.length === 0 || bytes.length > maxIdBytes) return undefined;
  const id = bytes.toString('utf8');
  // One id, one way to write it: no second spelling, no bytes that are no text.
  return idInUrl(id) === text && !id.includes('\0') ? id : undefined;
}

/** The id that a part of a URL means; `undefined` for what means none. */
export function idOfUrl(text: string): string | undefined {
  return text.startsWith('~') ? decoded(text) : plainId.test(text) ? text : undefined;
}

/** An id as a part of the path. */
export const urlId: z.ZodType<string, string> = z
  .string()
  .regex(/^[A-Za-z0-9_~][A-Za-z0-9_:-]{0,1400}$/, 'must be an id, or ~ and its base64url')
  .transform((text, context) => {
    const id = idOfUrl(text);
    if (id !== undefined) return id;
    context.issues.push({
      code: 'custom',
      message: 'must be an id, or ~ and its base64url',
      input: text,
    });
    return z.NEVER;
  });

/** An id in a query or a body: any text that stores take. */
export const textId: z.ZodType<string, string> = z
  .string()
  .min(1)
  .max(maxIdBytes)
  .refine((id) => !id.includes('\0'), 'must not hold U+0000');
