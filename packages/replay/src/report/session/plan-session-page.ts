import { cutText } from '@ctx/core';
import { escapedBytes } from '../html.ts';

/** One piece of a shared session: what the user or the model said, a call, or a result. */
export interface SharedPiece {
  /** Place of its message in the log. */
  readonly message: number;
  readonly kind: 'user' | 'assistant' | 'call' | 'result' | 'other';
  readonly toolName?: string;
  /** Of the kind `other`: `thinking`, `image` … */
  readonly what?: string;
  /** As it came. */
  readonly text: string;
  /** Why it is shown as it is. */
  readonly why: string;
  /** What stands for it in the window, where it is not shown as it came; '' where nothing does. */
  readonly instead?: string;
  /** Where the original is read. */
  readonly pointer: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** One request of a shared session. */
export interface SharedRequest {
  readonly number: number;
  readonly tokens: number;
  readonly limitTokens: number;
  /** Of the prefix that the provider's cache was expected to hold, or reported. */
  readonly cachedTokens: number;
  /** What happened before it: `flush`, `compaction`, or nothing. */
  readonly event?: 'flush' | 'compaction';
  readonly cause?: string;
}

/** What is shared: a session, or one request of it. */
export interface SharedSession {
  readonly title: string;
  readonly id: string;
  /** The request; missing where the whole session is shared. */
  readonly request?: number;
  /** How its window is shown: `default`, `recorded` … */
  readonly mode: string;
  readonly windowTokens: number;
  readonly requests: readonly SharedRequest[];
  readonly pieces: readonly SharedPiece[];
  /** Secrets that were taken out. */
  readonly redacted: number;
  /** When the page was made, ms since the epoch. */
  readonly madeAt: number;
}

/** A text of a page: whole, or its beginning and how many characters are left out. */
export interface PageText {
  readonly text: string;
  readonly leftCharacters: number;
}

/** What a page shows of a session. */
export interface SessionPagePlan {
  /** The pieces that are shown, the oldest first, each with its text. */
  readonly shown: readonly { readonly piece: SharedPiece; readonly text: PageText }[];
  /** Older pieces that the page has no room for. */
  readonly leftPieces: number;
  /** Texts that are not whole. */
  readonly cutTexts: number;
}

/** Most bytes of a page: what goes through a mail, a chat and a browser without a thought. */
export const maxPageBytes = 5_000_000;

/** Bytes that a piece takes beside its text: tags, numbers, the reason and the address. */
const pieceBytes = 900;

/** Bytes that the page takes beside its pieces: the look, and 40 for a point and 120 for a row of each request. */
const frameBytes = 20_000;
const requestBytes = 250;

/** Most bytes of each text so that all of them fit. */
function capOf(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function fitted(text: string, cap: number): PageText {
  const size = escapedBytes(text);
  if (size <= cap) return { text, leftCharacters: 0 };
  // A sign takes at most six bytes when it is escaped; what is cut for that is little.
  let kept = cutText(text, { maxBytes: Math.floor(cap * (Buffer.byteLength(text) / size)) });
  while (escapedBytes(kept) > cap) kept = cutText(kept, { maxCharacters: kept.length * 0.9 });
  return { text: kept, leftCharacters: text.length - kept.length };
}

/** Decides what a page of at most so many bytes shows: long texts are cut alike, and then the oldest pieces are left out. Pure. */
export function planSessionPage(
  { pieces, requests }: Pick<SharedSession, 'pieces' | 'requests'>,
  maxBytes: number = maxPageBytes,
): SessionPagePlan {
  const room = Math.max(0, maxBytes - frameBytes - requests.length * requestBytes);
  // At least as much again for texts as for what stands around them.
  const most = Math.floor(room / (2 * pieceBytes));
  const kept = pieces.slice(Math.max(0, pieces.length - most));
  const cap = capOf(
    kept.map(({ text }) => escapedBytes(text)),
    room - kept.length * pieceBytes,
  );
  const shown = kept.map((piece) => ({ piece, text: fitted(piece.text, cap) }));
  const cutTexts = shown.filter(({ text }) => text.leftCharacters > 0).length;
  return { shown, leftPieces: pieces.length - kept.length, cutTexts };
}
