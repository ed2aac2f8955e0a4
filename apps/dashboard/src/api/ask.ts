/** A failure that the server told. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** Answers of a server that is busy or away for a moment. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Whether the same call may do well a moment later. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof Refusal) || passing.has(error.status);
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

function messageOf(error: unknown, status: number): string {
  if (typeof error !== 'object' || error === null) return `The server answered ${status}.`;
  const { detail, title }: Record<string, unknown> = { ...error };
  const found = detail ?? title;
  return typeof found === 'string' ? found : `The server answered ${status}.`;
}

/**
 * The answer of a call.
 * @throws {@link Refusal}.
 */
export async function ask<T>(call: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined) {
    throw new Refusal(response.status, messageOf(error, response.status));
  }
  return data;
}

/**
 * The same for calls that answer with nothing, or whose headers are wanted.
 * @throws {@link Refusal}.
 */
export async function done(
  call: Promise<{ readonly error?: unknown; readonly response: Response }>,
): Promise<Response> {
  const { error, response } = await call;
  if (!response.ok) throw new Refusal(response.status, messageOf(error, response.status));
  return response;
}
