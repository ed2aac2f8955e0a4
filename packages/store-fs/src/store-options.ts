import { type Clock, CtxError, systemClock } from '@ctx/core';

/** How a file store behaves. Only `path` must be given. */
export interface FsStoreOptions {
  /**
   * The store's folder: a store, an empty folder or none yet; any other is refused. Made with mode 0700 where it is missing;
   * a folder that exists keeps its mode.
   */
  readonly path: string;
  /**
   * What a resolved write outlives. `process`: the death of the process. `power`: also a power cut, at the price of an
   * fsync of each file and folder. Default `power`.
   */
  readonly durability?: 'process' | 'power';
  /** How long a write waits for other processes, ms. Then it fails with `CTX_STORE_BUSY`. Default 15,000. */
  readonly lockTimeoutMs?: number;
  /**
   * Collections of which the copy before the last change stays beside the record (`NAME.json.prev`) and comes back when
   * the record's file is unreadable. Each costs the room of its records once more. Default `sessions`.
   */
  readonly previousCopies?: readonly string[];
  /**
   * Collections whose new records share files: those of one write are a line of a `segment-….jsonl`, which costs a tenth of a new file
   * or less. What is long, changed later or has a copy before has a file of its own, as all records of other collections. Default
   * `events`.
   */
  readonly segments?: readonly string[];
  /**
   * Told of each file that could not be read and was moved to `.quarantine`, and of each document that was edited outside of ctx and taken in
   * as it is; `movedTo` is its `path` then. Must not throw. Default: Node warns of it.
   */
  readonly onQuarantine?: (report: {
    /** Where the file was, below the store's folder. */
    readonly path: string;
    /** Where it is now, below the store's folder. */
    readonly movedTo: string;
    readonly reason: string;
    /** Whether the previous copy has taken its place. */
    readonly restored: boolean;
  }) => void;
  /**
   * Opens a store that cannot be written, such as one on a read-only disk, and leaves the folder as it is. Default false. Others
   * may write it meanwhile. Writes end with `CTX_STORE_READ_ONLY`; a file that cannot be read is named and stays where it is.
   */
  readonly readOnly?: boolean;
  /** Names the moment of a quarantine. Default: the machine's clock. */
  readonly clock?: Clock;
}

/** What happened to one file that could not be read. */
export type QuarantineReport = Parameters<NonNullable<FsStoreOptions['onQuarantine']>>[0];

/** The options with every default in its place. */
export type FsStoreSettings = Required<FsStoreOptions>;

/**
 * Fills in the defaults.
 * @throws `CTX_INVALID_OPTION` for a path, durability or time limit of the wrong kind.
 */
export function settingsOf(options: FsStoreOptions): FsStoreSettings {
  const settings: FsStoreSettings = {
    durability: 'power',
    lockTimeoutMs: 15_000,
    previousCopies: ['sessions'],
    segments: ['events'],
    onQuarantine: ({ path, movedTo, reason, restored }) => {
      if (movedTo === path) {
        process.emitWarning(`${path}: ${reason}; the edit is its newest version now`);
        return;
      }
      const left = restored ? 'the copy before took its place' : 'lists leave its records out';
      const message = `${path} is damaged (${reason}) and lies in ${movedTo} now; ${left}`;
      process.emitWarning(message, { code: 'CTX_STORE_CORRUPT' });
    },
    readOnly: false,
    clock: systemClock,
    ...options,
  };
  const invalid = (message: string): CtxError => new CtxError('CTX_INVALID_OPTION', message);
  const path: unknown = settings.path;
  if (typeof path !== 'string' || path === '' || path.includes('\u0000')) {
    throw invalid("path must name a folder, as in { path: '.ctx' }");
  }
  const durability: unknown = settings.durability;
  if (durability !== 'process' && durability !== 'power') {
    throw invalid('durability must be process or power');
  }
  if (!(settings.lockTimeoutMs >= 0)) throw invalid('lockTimeoutMs must be 0 or more');
  return settings;
}
