import { SpanStatusCode, trace } from '@opentelemetry/api';
import { attributeNames, spanNames } from './names.ts';

/** What a span may say. */
export type SpanFacts = Partial<Readonly<Record<keyof typeof attributeNames, string | number>>>;

function attributesOf(facts: SpanFacts): Record<string, string | number> {
  const attributes: Record<string, string | number> = {};
  for (const [name, key] of Object.entries(attributeNames)) {
    const value: unknown = Reflect.get(facts, name);
    if (typeof value === 'string' || typeof value === 'number') attributes[key] = value;
  }
  return attributes;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'UNEXPECTED';
}

/**
 * Does work inside a span of whatever tracer the program has set up; without one it costs nothing.
 * The span holds names and sizes; of an error its code alone.
 */
export async function traced<T>(
  name: keyof typeof spanNames,
  facts: SpanFacts,
  work: (tell: (more: SpanFacts) => void) => Promise<T>,
): Promise<T> {
  const tracer = trace.getTracer('@ctx/server');
  return tracer.startActiveSpan(
    spanNames[name],
    { attributes: attributesOf(facts) },
    async (span) => {
      try {
        return await work((more) => span.setAttributes(attributesOf(more)));
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(error) });
        throw error;
      } finally {
        span.end();
      }
    },
  );
}
