import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}

/**
 * Writes answers as JSON. Types see to it that they are as their schemas say; `checks` compares each one at run time, too.
 * Without checks it costs `JSON.stringify` alone.
 */
export function answerCompiler(checks: boolean): FastifySerializerCompiler<unknown> {
  return ({ schema, url, httpStatus }) => {
    if (!checks || !isSchema(schema)) return (answer) => JSON.stringify(answer);
    return (answer) => {
      const checked = schema.safeParse(answer);
      if (checked.success) return JSON.stringify(answer);
      const issue = checked.error.issues[0];
      const where = `${String(httpStatus)} of ${url}`;
      throw new TypeError(`${where}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
    };
  };
}
