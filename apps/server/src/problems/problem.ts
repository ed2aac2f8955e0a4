import { z } from 'zod';

/** What every failure answers (RFC 9457), as `application/problem+json`. */
export interface Problem {
  /** A name of the kind of problem that never changes; `about:blank` where the status says it all. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What happened, with ids and sizes, never content. */
  readonly detail?: string;
  /** Code of ctx, where it has one. */
  readonly code?: string;
  /** What can be done about it. */
  readonly advice?: string;
  /** Which members of the request are wrong. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

export const problemSchema: z.ZodType<Problem> = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().exactOptional(),
  code: z.string().exactOptional(),
  advice: z.string().exactOptional(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).exactOptional(),
});

/** The media type of a failure. */
export const problemType = 'application/problem+json';

/** A failure with its answer. A class, so that it can be told from other errors. */
export class ProblemError extends Error {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(problem: Omit<Problem, 'type'>, headers: Readonly<Record<string, string>> = {}) {
    super(problem.detail ?? problem.title);
    this.name = 'ProblemError';
    this.problem = { type: 'about:blank', ...problem };
    this.headers = headers;
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'API key required',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  412: 'Changed in the meantime',
  413: 'Too large',
  415: 'Unsupported media type',
  421: 'Unknown host',
  422: 'Invalid request',
  428: 'Precondition required',
  429: 'Too many requests',
  500: 'Unexpected error',
  503: 'Temporarily unavailable',
};

/** What a status is called. */
export function titleOf(status: number): string {
  return titles[status] ?? 'Failed';
}

/** A failure of a status. */
export function problem(
  status: number,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): ProblemError {
  return new ProblemError({ status, title: titleOf(status), detail }, headers);
}

/** Answers 404 with what to do. It is the same whether the thing is missing or belongs to another tenant. */
export function notFound(advice?: string): ProblemError {
  const detail = 'There is nothing at this address.';
  const more = advice === undefined ? {} : { advice };
  return new ProblemError({ status: 404, title: titleOf(404), detail, ...more });
}

/** The answer to a method that an address does not take. */
export function notTaken(methods: readonly string[]): ProblemError {
  return problem(405, 'This address does not support this method.', { allow: methods.join(', ') });
}
