/** Everything a tool returned, and where it belongs (seed 000: `StoredContext`). */
export interface ToolOutput {
  /** Created by ctx, `^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$`. Opaque: never parsed. */
  readonly id: string;
  readonly sessionId: string;
  readonly toolName: string;
  /** One line for people and for search: tool and all arguments. */
  readonly toolDescription: string;
  readonly args: unknown;
  readonly result: unknown;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Order within the session, from 0; never from the clock. */
  readonly sequence: number;
  readonly queryId?: string;
  readonly taskId?: string;
  /** UTF-8 bytes of `outputText(result)`. */
  readonly bytes: number;
  /** Tokens of `outputText(result)`, by the counter of the store. */
  readonly tokens: number;
  /** Lines of `outputText(result)`. */
  readonly lines: number;
  /** SHA-256 (hex) of the canonical result. */
  readonly fingerprint: string;
  readonly pinned: boolean;
}

/** Stands for a tool output in memory and in the prompt. Holds no result and no long argument. */
export interface ContextPointer extends Omit<ToolOutput, 'args' | 'result'> {
  /** The arguments, long strings cut. */
  readonly args: unknown;
  /** The first characters of the result's text. */
  readonly preview: string;
  /** The file that the tool read or wrote, if one is named in the arguments. */
  readonly path?: string;
}
