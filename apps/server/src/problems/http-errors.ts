import type { CtxErrorCode } from '@ctx/core';

/** How a code goes out over HTTP. */
export interface HttpErrorEntry {
  readonly status: number;
  readonly title: string;
}

/** The only place where codes become statuses. */
export const httpErrors: Readonly<Record<CtxErrorCode, HttpErrorEntry>> = {
  CTX_ABORTED: { status: 503, title: 'Stopped' },
  CTX_AMBIGUOUS: { status: 422, title: 'Ambiguous id' },
  CTX_INVALID_ADDRESS: { status: 422, title: 'Invalid address' },
  CTX_INVALID_FILE: { status: 422, title: 'Invalid file' },
  CTX_INVALID_INPUT: { status: 422, title: 'Invalid input' },
  CTX_INVALID_OPTION: { status: 422, title: 'Invalid option' },
  CTX_USAGE: { status: 422, title: 'Invalid usage' },
  CTX_NOT_ALLOWED: { status: 403, title: 'Not allowed' },
  CTX_NOT_FOUND: { status: 404, title: 'Not found' },
  CTX_STORE_BUSY: { status: 503, title: 'The store is busy' },
  CTX_STORE_CLOSED: { status: 503, title: 'The store is closed' },
  CTX_STORE_CONFLICT: { status: 409, title: 'Conflict' },
  CTX_STORE_CORRUPT: { status: 500, title: 'The store is damaged' },
  CTX_STORE_FULL: { status: 507, title: 'The store is full' },
  CTX_STORE_IO: { status: 500, title: 'Disk or system error' },
  CTX_STORE_READ_ONLY: { status: 503, title: 'The store cannot be written' },
  CTX_STORE_UNREACHABLE: { status: 503, title: 'The store cannot be reached' },
  CTX_STORE_UNSUPPORTED: { status: 501, title: 'Not supported by this store' },
  CTX_TOO_LARGE: { status: 413, title: 'Too large' },
  CTX_TRANSCRIPT_INVALID: { status: 422, title: 'The messages cannot be read' },
  CTX_TRANSCRIPT_UNKNOWN_FORMAT: { status: 422, title: 'Unknown message format' },
  CTX_WINDOW_OVERFLOW: { status: 422, title: 'Too large for the window' },
  CTX_WINDOW_STUCK: { status: 422, title: 'Still too large for the window' },
};
