/** Every code that ctx throws. Codes are API: new ones are added, none is renamed. */
export type CtxErrorCode =
  | 'CTX_ABORTED'
  | 'CTX_AMBIGUOUS'
  | 'CTX_INVALID_ADDRESS'
  | 'CTX_INVALID_FILE'
  | 'CTX_INVALID_INPUT'
  | 'CTX_INVALID_OPTION'
  | 'CTX_NOT_FOUND'
  | 'CTX_NOT_ALLOWED'
  | 'CTX_TOO_LARGE'
  | 'CTX_STORE_BUSY'
  | 'CTX_STORE_CLOSED'
  | 'CTX_STORE_CONFLICT'
  | 'CTX_STORE_CORRUPT'
  | 'CTX_STORE_FULL'
  | 'CTX_STORE_IO'
  | 'CTX_STORE_READ_ONLY'
  | 'CTX_STORE_UNREACHABLE'
  | 'CTX_STORE_UNSUPPORTED'
  | 'CTX_TRANSCRIPT_INVALID'
  | 'CTX_TRANSCRIPT_UNKNOWN_FORMAT'
  | 'CTX_USAGE'
  | 'CTX_WINDOW_OVERFLOW'
  | 'CTX_WINDOW_STUCK';

/** The fix for each code. */
export const errorAdvice: Readonly<Record<CtxErrorCode, string>> = {
  CTX_ABORTED: 'The caller cancelled the work. Nothing was left half done; call again to go on.',
  CTX_AMBIGUOUS: 'Several records match. Give the id in full, or more of it.',
  CTX_INVALID_ADDRESS:
    'Use an address, line, pattern, path or cursor of the form that the message shows.',
  CTX_INVALID_FILE: 'Check that the file is what the message expects, and whole.',
  CTX_INVALID_INPUT: 'Correct the value that the message names.',
  CTX_INVALID_OPTION: 'Correct the option, policy or setting that the message names.',
  CTX_NOT_FOUND: 'Check the id, name or path that the message shows.',
  CTX_NOT_ALLOWED: 'This caller may not access the path, id or operation.',
  CTX_TOO_LARGE: 'Make the value smaller, or raise the limit that the message names.',
  CTX_STORE_BUSY: 'Another process holds the store. Try again, or raise the time limit.',
  CTX_STORE_CLOSED: 'Open the store again; after close() no call is accepted.',
  CTX_STORE_CONFLICT: 'Another writer changed the record. Read it again and repeat the change.',
  CTX_STORE_CORRUPT:
    'The store holds bytes it cannot read; nothing was overwritten. ctx verify names them, ctx doctor --repair rescues a damaged database.',
  CTX_STORE_FULL:
    'The disk or quota is full. Free some room; what was stored before is still readable.',
  CTX_STORE_IO: 'The disk or the operating system refused. See the cause.',
  CTX_STORE_READ_ONLY: 'The store cannot be written. Check the permissions of its folder.',
  CTX_STORE_UNREACHABLE:
    'The server of the store does not answer, or is starting. Try again, or check its address.',
  CTX_STORE_UNSUPPORTED: 'This backend does not offer that ability; see its `supports`.',
  CTX_TRANSCRIPT_INVALID: 'The transcript cannot be read. The message names the record.',
  CTX_TRANSCRIPT_UNKNOWN_FORMAT:
    'Name the format with --format, or check that the file is a transcript.',
  CTX_USAGE: 'See the help of the command: ctx <command> --help.',
  CTX_WINDOW_OVERFLOW:
    'What may not be shrunk is larger than the window. The message names the biggest parts.',
  CTX_WINDOW_STUCK:
    'Say something new, shorten the system prompt or the tools, or take a model with a larger window; then reset().',
};

/**
 * The one error class of ctx. `code` is stable. `message` names ids and sizes, never content. `cause` is kept.
 */
export class CtxError extends Error {
  readonly code: CtxErrorCode;

  constructor(code: CtxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CtxError';
    this.code = code;
  }

  /** Returns `CtxError [CTX_NOT_FOUND]: …`, so that a log line names the code. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}

/** Codes that CTX_INVALID_INPUT was split into: what asks for the old code still gets these errors. */
const kindsOfInvalidInput: ReadonlySet<string> = new Set<CtxErrorCode>([
  'CTX_AMBIGUOUS',
  'CTX_INVALID_ADDRESS',
  'CTX_INVALID_FILE',
  'CTX_INVALID_OPTION',
  'CTX_USAGE',
]);

/**
 * Returns whether `error` is a ctx error, with `code` if one is given. Works across installed copies of the package.
 * `CTX_INVALID_INPUT` also matches the codes that it was split into.
 */
export function isCtxError(error: unknown, code?: CtxErrorCode): error is CtxError {
  if (!(error instanceof Error) || error.name !== 'CtxError' || !('code' in error)) return false;
  if (code === undefined || error.code === code) return true;
  return code === 'CTX_INVALID_INPUT' && kindsOfInvalidInput.has(String(error.code));
}
