import { CtxError, type CtxErrorCode, errorAdvice, isCtxError } from '@ctx/core';

/** What a code is called for people, and how the command ends. */
export interface CliErrorEntry {
  readonly title: string;
  readonly exitCode: number;
}

/** 0 ok, 1 failure, 2 usage, 3 not found, 4 conflict, 5 not allowed, 130 stopped by Ctrl-C. */
export const cliErrors: Readonly<Record<CtxErrorCode, CliErrorEntry>> = {
  CTX_ABORTED: { title: 'Stopped', exitCode: 130 },
  CTX_AMBIGUOUS: { title: 'Ambiguous id', exitCode: 2 },
  CTX_INVALID_ADDRESS: { title: 'Invalid address', exitCode: 2 },
  CTX_INVALID_FILE: { title: 'Invalid file', exitCode: 2 },
  CTX_INVALID_INPUT: { title: 'Invalid input', exitCode: 2 },
  CTX_INVALID_OPTION: { title: 'Invalid option', exitCode: 2 },
  CTX_NOT_ALLOWED: { title: 'Not allowed', exitCode: 5 },
  CTX_NOT_FOUND: { title: 'Not found', exitCode: 3 },
  CTX_STORE_BUSY: { title: 'The store is busy', exitCode: 4 },
  CTX_STORE_CLOSED: { title: 'The store is closed', exitCode: 1 },
  CTX_STORE_CONFLICT: { title: 'Conflict', exitCode: 4 },
  CTX_STORE_CORRUPT: { title: 'The store is damaged', exitCode: 1 },
  CTX_STORE_FULL: { title: 'The store is full', exitCode: 1 },
  CTX_STORE_IO: { title: 'Disk or system error', exitCode: 1 },
  CTX_STORE_READ_ONLY: { title: 'The store cannot be written', exitCode: 5 },
  CTX_STORE_UNREACHABLE: { title: 'The store cannot be reached', exitCode: 1 },
  CTX_STORE_UNSUPPORTED: { title: 'Not supported by this store', exitCode: 1 },
  CTX_TOO_LARGE: { title: 'Too large', exitCode: 1 },
  CTX_TRANSCRIPT_INVALID: { title: 'The transcript cannot be read', exitCode: 1 },
  CTX_TRANSCRIPT_UNKNOWN_FORMAT: { title: 'No known transcript format', exitCode: 1 },
  CTX_USAGE: { title: 'Invalid usage', exitCode: 2 },
  CTX_WINDOW_OVERFLOW: { title: 'Too large for the window', exitCode: 1 },
  CTX_WINDOW_STUCK: { title: 'Still too large for the window', exitCode: 1 },
};

/** An error as the command line shows it. */
export interface CliFailure extends CliErrorEntry {
  readonly code: string;
  readonly message: string;
  readonly advice?: string;
  readonly cause?: string;
}

/** The exit code that belongs to a code; 1 for one that ctx does not know. */
export function exitCodeOf(code: string): number {
  return Object.entries(cliErrors).find(([known]) => known === code)?.[1].exitCode ?? 1;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Advice, and a title, for what those of the code do not fit: by code and how the message begins or ends. */
const situations: readonly (readonly [CtxErrorCode, RegExp, string, string?])[] = [
  ['CTX_ABORTED', /^/, 'Nothing was left half done. Run the command again to go on.'],
  [
    'CTX_AMBIGUOUS',
    /^several (?:items|sessions) begin with /,
    'Write more of the id. One that is the beginning of others is written in full.',
  ],
  ['CTX_NOT_ALLOWED', /--yes\b/, ''],
  [
    'CTX_NOT_ALLOWED',
    /^this user may not /,
    'Check the owner and the permissions of it and of the folders it is in.',
  ],
  ['CTX_NOT_FOUND', /^there is no (?:file|store|folder|module)\b/, 'Check the path.'],
  ['CTX_STORE_CONFLICT', /without --from-log$/, ''],
  [
    'CTX_STORE_CORRUPT',
    /is no store of ctx/,
    'Name the file of a store, or a file that does not exist yet.',
    'Not a store',
  ],
  [
    'CTX_TRANSCRIPT_UNKNOWN_FORMAT',
    /^/,
    'Check that the file is a transcript: the help of `import` names the formats. `import` and `fit` take one with --format.',
  ],
];

/** Returns what to do about an error (`undefined` if the message says it already) and how it is called. */
function wordsFor({ code, message }: CtxError): Pick<CliFailure, 'advice' | 'title'> {
  const fitting = situations.find(([known, text]) => known === code && text.test(message));
  const [, , advice = errorAdvice[code], title = cliErrors[code].title] = fitting ?? [];
  return advice === '' ? { title } : { title, advice };
}

/** The path that the system refused to this user, wherever among the causes of an error it stands. */
function refusedPath(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1, cause = cause.cause) {
    const { code, path } = cause as Error & Partial<Record<'code' | 'path', unknown>>;
    if ((code === 'EACCES' || code === 'EPERM') && typeof path === 'string') return path;
  }
  return undefined;
}

/** A refusal is one of the system's permissions, whatever was made of it on the way; what cannot be written keeps its code. */
function asRefusal(error: unknown): unknown {
  const path = refusedPath(error);
  const isTold = isCtxError(error, 'CTX_NOT_ALLOWED') || isCtxError(error, 'CTX_STORE_READ_ONLY');
  if (path === undefined || isTold) return error;
  const message = `this user may not access ${path}`;
  return new CtxError('CTX_NOT_ALLOWED', message, { cause: error });
}

/** What to tell a person about an error, and how to end. */
export function failureOf(thrown: unknown): CliFailure {
  const error = asRefusal(thrown);
  if (!isCtxError(error)) {
    return {
      title: 'Unexpected error',
      exitCode: 1,
      code: 'UNEXPECTED',
      message: messageOf(error),
    };
  }
  const { code, message, cause } = error;
  return {
    ...cliErrors[code],
    code,
    message,
    ...wordsFor(error),
    ...(cause === undefined ? {} : { cause: messageOf(cause) }),
  };
}

/** The failure in lines for people. */
export function failureText({ title, code, message, advice, cause }: CliFailure): string {
  const lines = [`ctx: ${title} (${code})`, `  ${message}`];
  if (cause !== undefined && cause !== '') lines.push(`  cause: ${cause.split('\n', 1)[0] ?? ''}`);
  if (advice !== undefined) lines.push(`  → ${advice}`);
  return `${lines.join('\n')}\n`;
}

/** The failure as one line of JSON, for `--json`. */
export function failureJson({ title, code, message, advice, exitCode }: CliFailure): string {
  return `${JSON.stringify({ error: { code, title, message, advice, exitCode } })}\n`;
}
