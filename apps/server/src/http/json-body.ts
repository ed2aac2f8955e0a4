import { type Buffer, isUtf8 } from 'node:buffer';
import { ProblemError, problem, titleOf } from '../problems/problem.ts';
import { type JsonLimits, refusalOfJson } from './scan-json.ts';

/** Takes a quarter of the time of a `TextDecoder`. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw problem(400, 'The body is not valid UTF-8.');
  return bytes.toString('utf8');
}

/** A body, parsed, and the text that it was. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

/**
 * Parses a body. Makes two passes.
 * @throws 400 for what is no JSON or too deep or large, 422 for members that make no sense.
 */
export function parseBody(bytes: Buffer, limits: JsonLimits): JsonBody {
  if (bytes.length === 0) throw problem(400, 'The body is empty.');
  const text = textOf(bytes);
  const refusal = refusalOfJson(text, limits);
  if (refusal !== undefined) {
    throw new ProblemError({ ...refusal, title: titleOf(refusal.status) });
  }
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    throw problem(400, 'The body is not valid JSON.');
  }
}
