import { errorAdvice, isCtxError } from '@ctx/core';
import { httpErrors } from './http-errors.ts';
import { ProblemError, problem, titleOf } from './problem.ts';

/** A member of a request that a schema refused, as the validator tells it. */
interface Refusal {
  readonly instancePath: string;
  readonly message?: string;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isRefusal(value: unknown): value is Refusal {
  return typeof memberOf(value, 'instancePath') === 'string';
}

const maxErrors = 20;
const maxText = 300;

/** What a schema refused: 422, with the members that are wrong. */
function ofValidation(error: unknown): ProblemError | undefined {
  const given = memberOf(error, 'validation');
  if (!Array.isArray(given)) return undefined;
  const errors = given
    .filter(isRefusal)
    .slice(0, maxErrors)
    .map((refusal) => ({
      pointer: refusal.instancePath.slice(0, maxText),
      detail: (refusal.message ?? 'is invalid').slice(0, maxText),
    }));
  const detail = 'The request does not match the schema.';
  return new ProblemError({ status: 422, title: titleOf(422), detail, errors });
}

/** Errors of ctx. Of a failure of the server nothing is told but its kind: messages may name files. */
function ofCtx(error: unknown): ProblemError | undefined {
  if (!isCtxError(error)) return undefined;
  const { code, message } = error;
  if (code === 'CTX_NOT_FOUND') return problem(404, 'There is nothing at this address.');
  const { status, title } = httpErrors[code];
  const isOurs = status >= 500;
  const more = isOurs ? {} : { detail: message };
  const headers: Record<string, string> = status === 503 ? { 'retry-after': '1' } : {};
  return new ProblemError({ status, title, code, advice: errorAdvice[code], ...more }, headers);
}

const texts: ReadonlyMap<unknown, readonly [number, string]> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', [413, 'The body is too large for this address.']],
  [
    'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
    [400, 'The length of the body does not match Content-Length.'],
  ],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', [415, 'Only application/json is supported.']],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', [400, 'The body is empty.']],
  ['FST_UNDER_PRESSURE', [503, 'The server is overloaded.']],
]);

/** Errors of the framework, by code or status. */
function ofFramework(error: unknown, bodyLimit: number | undefined): ProblemError {
  const known = texts.get(memberOf(error, 'code'));
  if (known !== undefined) {
    const [status, text] = known;
    const headers: Record<string, string> = status === 503 ? { 'retry-after': '1' } : {};
    const isTooLarge = status === 413 && bodyLimit !== undefined;
    return problem(status, isTooLarge ? `${text} The limit is ${bodyLimit} bytes.` : text, headers);
  }
  const status = memberOf(error, 'statusCode');
  const isTheirs = typeof status === 'number' && status >= 400 && status < 500;
  return isTheirs
    ? problem(status, 'The request cannot be processed.')
    : new ProblemError({ status: 500, title: titleOf(500) });
}

/** The answer to any error, with the most bytes of a body where it was too large. Tells ids and sizes, never content, files or stacks. */
export function problemOf(error: unknown, bodyLimit?: number): ProblemError {
  if (error instanceof ProblemError) return error;
  return ofValidation(error) ?? ofCtx(error) ?? ofFramework(error, bodyLimit);
}
