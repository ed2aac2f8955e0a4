import type { userFolders } from '@ctx/agent-adapter/store';
import type { Terminal } from './top/terminal.ts';

/** Where text goes: standard output or standard error. */
export interface OutputChannel {
  /** Resolves when more may be written. After the reader has gone it does nothing. */
  write(text: string): Promise<void>;
  readonly isTty: boolean;
  /** Width of the terminal, characters; 80 where there is none. */
  readonly columns: number;
  /** Whether the reader has gone (`ctx … | head`): what is left need not be made. */
  readonly isClosed: () => boolean;
}

/** Everything a command gets from the machine. Handed in, so that a test can play any machine. */
export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Data. */
  readonly out: OutputChannel;
  /** Messages, progress, errors. */
  readonly err: OutputChannel;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /**
   * From here on Ctrl-C ends the process at once: for commands that compute for long, and leave nothing half done wherever they end.
   * A store is one whatever happens; a file that is being written is not.
   */
  readonly endAtOnce: () => void;
  /** The user's own folders. Asked for when needed: finding them loads a library. */
  readonly folders: typeof userFolders;
  /**
   * All of standard input as text; `undefined` where a person sits at it and nothing was sent. `too large`: it has more bytes than
   * `maxBytes`, and the rest was not read.
   */
  readonly readInput: (
    maxBytes: number,
  ) => Promise<{ readonly text: string } | 'too large' | undefined>;
  /** Asks a yes-or-no question; `undefined` without a terminal. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
  /** The terminal, for what draws on all of it; `undefined` where there is none. */
  readonly terminal?: () => Promise<Terminal | undefined>;
}

/** Where text is drawn: the outputs, and whether colours may be used on standard output. */
export interface Screen {
  readonly host: CliHost;
  readonly hasColor: boolean;
}
