/** One entry of a session's append-only log. `payload` is JSON data. */
export interface SessionEvent {
  /** Place in the log, from 0, without gaps. The only order. */
  readonly sequence: number;
  /** Such as `message`. */
  readonly type: string;
  /** ms since the epoch; data, never order. */
  readonly at: number;
  /** Tokens of the content; 0 if it has none. */
  readonly tokens: number;
  readonly payload: unknown;
}
