import type { ContextStore } from '@ctx/store';
import type { WindowPolicy } from '@ctx/truncation';
import type { ShapedRequest } from '../conversations/conversation.ts';
import type { Lane, Registry } from '../conversations/registry.ts';
import type { ReadRequest } from '../requests/read-request.ts';
import type { ProxyTotals } from '../totals/account.ts';
import type { OpenedRequest } from './open-request.ts';

/** How a proxy works. Whatever is left out has a default. */
export interface ProxyOptions {
  readonly store: ContextStore;
  /** When content leaves. Default: the window's `default`. */
  readonly policy?: WindowPolicy;
  /** Whether every request goes out as the client wrote it: only numbers are kept. Default false. */
  readonly watch?: boolean;
  /**
   * Whether models get a tool that reads back what left, instead of a command for their shell. Its calls are answered in the client's next
   * request, which Claude Code, Codex, opencode and Gemini CLI all send; other programs do not get it. Conversations that began without it go
   * on without it. Default false.
   */
  readonly tool?: boolean;
  /** Share of new conversations that go out as the client writes them, so that what is saved can be measured, 0 to 1. Default 0. */
  readonly holdout?: number;
  /**
   * Characters of newest requests whose conversations stay in memory, which takes four to five times as many bytes. Those that rested longest
   * are closed, and read from the store again when they go on. Default 4,194,304.
   */
  readonly openCharacters?: number;
  /** Told in one line what did not work, and of which conversation. */
  readonly onFailure?: (line: string, error: unknown) => void;
}

/** What becomes of one request. */
export interface Exchange {
  /** The body to send; `undefined`: the client's, byte for byte. */
  readonly body?: string;
  /** The session that keeps it; `undefined` for what stands beside conversations. */
  readonly sessionId?: string;
  /**
   * Takes an answer that refused the request. Returns the body to send once more, `'as given'` for the client's own, or
   * `undefined` if the answer is to be passed on.
   */
  refused(status: number, answer: string): Promise<string | undefined>;
  /** Reads the answer while it passes. `contentType`: of the answer. */
  answer(contentType: string | undefined): AnswerReader;
}

/** Reads an answer while it passes. */
export interface AnswerReader {
  write(chunk: Uint8Array): void;
  /**
   * The answer is complete once `read` resolves, without it at once. Resolves when what it told is kept; the next request of its
   * conversation, and closing, wait for that.
   */
  end(read?: Promise<void>): Promise<void>;
  /** Takes why an answer cannot be read: what it cost is not counted. */
  readonly unread?: (why: string) => void;
}

/** Everything that a proxy holds. */
export interface OpenProxy {
  readonly options: ProxyOptions;
  readonly registry: Registry;
  readonly sessions: Set<string>;
  count(totals: Partial<ProxyTotals>): void;
}

/** A request that was shaped, and its lane. */
export interface Shaped {
  readonly lane: Lane;
  readonly opened: OpenedRequest;
  readonly request: ReadRequest;
  readonly result: ShapedRequest;
}
