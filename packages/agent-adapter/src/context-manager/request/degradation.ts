/** What was done without, and why. */
export interface Degradation {
  /** What was asked for. */
  readonly during:
    | 'record'
    | 'prepare'
    | 'observe'
    | 'compact'
    | 'flash-save'
    | 'memory'
    | 'listener';
  /** Code of a `CtxError`, else the name of the error. */
  readonly code: string;
  readonly error: unknown;
}

/** The code of an error of ctx, the name of any other. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
