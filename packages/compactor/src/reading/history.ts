import type { toolCalls } from '@ctx/relevance';
import type { PatchedFile } from './patched-files.ts';

/** One call of a tool and what came back, as the compactor reads it. */
export interface HistoryCall {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Index of the message that made the call. */
  readonly messageIndex: number;
  /** Calls before this one. */
  readonly number: number;
  /** The file that the arguments name. */
  readonly path?: string;
  /** What the tool did to that file. */
  readonly access?: ReturnType<typeof toolCalls.access>;
  /** The files that a patch in the arguments writes to, {@link path} first. */
  readonly patched?: readonly PatchedFile[];
  /** The shell command, where the arguments hold one. */
  readonly command?: string;
  /** All text of the result; undefined where none came back. */
  readonly result?: string;
  /** What later calls showed of a command that ran on. */
  readonly ending?: string;
  readonly isError: boolean;
  /** The exit code that the result names. */
  readonly exitCode?: number;
  /** Where the whole result is read again. */
  readonly pointer?: string;
  /** What the user said when refusing the call; '' if nothing. Missing for a call that was not refused. */
  readonly refusal?: string;
}

/** What the user or the assistant said in one message. */
export interface HistoryText {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly messageIndex: number;
  /** Calls made before it. */
  readonly callsBefore: number;
  /** It is a command with a text of its own that the user typed, such as `/review`: it asks for something even where it stands alone. */
  readonly isCommand?: true;
}

/** A conversation taken apart. */
export interface History {
  readonly calls: readonly HistoryCall[];
  readonly texts: readonly HistoryText[];
}
