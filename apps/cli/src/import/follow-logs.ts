import { lstat } from 'node:fs/promises';
import type { ContextStore } from '@ctx/core';
import { builtInFormats, detectFormat } from '@ctx/transcripts';
import type { ImportEntry } from '../schemas/import.ts';
import { type FollowedFile, followFile } from './followed-file.ts';
import { continueImport, importSource, importTranscript } from './import-transcript.ts';
import { readRange, withHandle } from './open-file.ts';
import { type ImportOptions, type SessionImport, startSessionImport } from './session-import.ts';

/** Keeps sessions as current as the logs that they come from. */
export interface LogFollower {
  /**
   * Imports what is new in a file; `undefined` where nothing is, or nothing that names a session yet.
   * Throws: as `importTranscript`; the file is begun anew then when it is looked at again.
   */
  readonly look: (path: string) => Promise<ImportEntry | undefined>;
  /** Lets go of all files. */
  readonly stop: () => void;
}

/** A file that is read on from where it was, without being read again. */
interface LiveLog {
  readonly file: FollowedFile;
  readonly running: SessionImport;
}

/** Formats of lines that their agents only append to. */
const followed: ReadonlySet<string> = new Set(['claude-code', 'codex', 'pi']);

/** How many files are kept ready to be read on. Others are read again from their start when they grow. */
const maxLive = 64;

/** Bytes that the format is told from. */
const headBytes = 65_536;

async function formatOf(path: string): Promise<string | undefined> {
  return withHandle(path, async (handle, { size }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readRange(handle, 0, Math.min(size, headBytes))) chunks.push(chunk);
    const [first, second] = detectFormat(Buffer.concat(chunks), builtInFormats);
    return first?.score === second?.score ? undefined : first?.format.name;
  });
}

/** The files that are kept ready to be read on. */
interface LiveLogs {
  readonly keep: (path: string, log: LiveLog) => void;
  readonly drop: (path: string) => void;
  /** Imports what was added; `undefined` where the file must be opened again. */
  readonly readOn: (path: string) => Promise<ImportEntry | undefined>;
  readonly stop: () => void;
}

function liveLogs(store: ContextStore, options: ImportOptions): LiveLogs {
  const live = new Map<string, LiveLog>();
  const drop = (path: string): void => {
    live.get(path)?.file.stop();
    live.delete(path);
  };
  const keep = (path: string, log: LiveLog): void => {
    // The one that was read last is dropped last.
    live.delete(path);
    live.set(path, log);
    const [oldest] = live.keys();
    if (live.size > maxLive && oldest !== undefined) drop(oldest);
  };
  return {
    keep,
    drop,
    readOn: async (path) => {
      const log = live.get(path);
      if (log === undefined) return undefined;
      const isSame = await log.file.wake().catch(() => false);
      const entry = isSame ? await continueImport(store, log.running, options) : undefined;
      if (entry === undefined) drop(path);
      else keep(path, log);
      return entry;
    },
    stop: () => {
      for (const path of [...live.keys()]) drop(path);
    },
  };
}

/** Starts to follow logs into a store. */
export function followLogs(store: ContextStore, options: ImportOptions): LogFollower {
  const live = liveLogs(store, options);
  const begin = async (path: string, format: string): Promise<ImportEntry | undefined> => {
    const file = await followFile(path, format);
    const running = await startSessionImport(file, options);
    const isNamed = running.signs().declaredId !== undefined;
    const entry = isNamed ? await importSource(store, running, options) : undefined;
    if (entry === undefined || entry.status === 'unchanged') file.stop();
    else live.keep(path, { file, running });
    return entry;
  };
  const look = async (path: string): Promise<ImportEntry | undefined> => {
    const entry = await live.readOn(path);
    if (entry !== undefined) return entry;
    const format = await formatOf(path);
    if (format !== undefined && followed.has(format)) return begin(path, format);
    return format === undefined ? undefined : importTranscript(store, path, { ...options, format });
  };
  const seen = startSeen();
  return {
    look: async (path) => {
      if (!(await seen.isChanged(path))) return undefined;
      try {
        return await look(path);
      } catch (error) {
        live.drop(path);
        seen.forget(path);
        throw error;
      }
    },
    stop: live.stop,
  };
}

/** Remembers size and time of files. */
function startSeen(): {
  readonly isChanged: (path: string) => Promise<boolean>;
  readonly forget: (path: string) => void;
} {
  const signs = new Map<string, string>();
  return {
    isChanged: async (path) => {
      const stat = await lstat(path).catch(() => undefined);
      if (stat?.isFile() !== true || stat.size === 0) return false;
      const sign = `${String(stat.ino)} ${String(stat.size)} ${String(stat.mtimeMs)}`;
      if (signs.get(path) === sign) return false;
      signs.set(path, sign);
      return true;
    },
    forget: (path) => {
      signs.delete(path);
    },
  };
}
