import { performance } from 'node:perf_hooks';
import type { ContextStore } from '@ctx/store';
import { builtInFormats } from '../../built-in-formats.ts';
import { detectFormat } from '../../detect-format.ts';
import { stateOfFile } from '../files/file-state.ts';
import { readRange, withHandle } from '../files/open-file.ts';
import type { ImportEntry } from '../import-entry.ts';
import { type FoundOptions, importFound } from '../import-found.ts';
import { continueImport, importSource, importTranscript } from '../import-transcript.ts';
import { type SessionImport, startSessionImport } from '../session-import.ts';
import { filesBeside } from '../sources/claude-folder.ts';
import { type FollowedFile, followFile } from './followed-file.ts';

/** Keeps sessions as current as the logs that they come from. */
export interface LogFollower {
  /**
   * Imports what is new in a file; `undefined` where nothing is, or nothing that names a session yet.
   * @throws as `importTranscript`; the file is begun anew then when it is looked at again.
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

function liveLogs(store: ContextStore, options: FoundOptions): LiveLogs {
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

/** So many times as long as the last import of a session with a folder took, the next one waits. */
const restFactor = 10;

/** Says when a session that is read from its start each time may be read again: it takes a tenth of the time at most. */
function startRests(now: () => number): {
  readonly isOver: (path: string) => boolean;
  readonly during: <T>(path: string, work: () => Promise<T>) => Promise<T>;
} {
  const until = new Map<string, number>();
  return {
    isOver: (path) => now() >= (until.get(path) ?? 0),
    during: async (path, work) => {
      const startedAt = now();
      try {
        return await work();
      } finally {
        const endedAt = now();
        until.set(path, endedAt + restFactor * (endedAt - startedAt));
      }
    },
  };
}

/**
 * Starts to follow logs into a store. A session of Claude Code with a folder of its own is imported whole when a file of it has changed,
 * its sub-agents as lanes. `now`: ms, for the rests between.
 */
export function followLogs(
  store: ContextStore,
  options: FoundOptions,
  now: () => number = () => performance.now(),
): LogFollower {
  const live = liveLogs(store, options);
  const begin = async (path: string, format: string): Promise<ImportEntry | undefined> => {
    const file = await followFile(path, format);
    const running = await startSessionImport(file, options);
    const isNamed = running.traits().declaredId !== undefined;
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
  const rests = startRests(now);
  const lookWhole = async (path: string): Promise<ImportEntry | undefined> => {
    live.drop(path);
    const found = { path, isNamed: true };
    const [entry] = await rests.during(path, () => importFound(store, found, options));
    return entry?.status === 'unchanged' ? undefined : entry;
  };
  const seen = startSeen();
  return {
    look: async (path) => {
      const beside = await filesBeside(path);
      if (beside.length > 0 && !rests.isOver(path)) return undefined;
      if (!(await seen.isChanged(path, beside))) return undefined;
      try {
        return await (beside.length > 0 ? lookWhole(path) : look(path));
      } catch (error) {
        live.drop(path);
        seen.forget(path);
        throw error;
      }
    },
    stop: live.stop,
  };
}

/** Remembers size and time of files, and of those that belong to them. */
function startSeen(): {
  readonly isChanged: (path: string, beside: readonly string[]) => Promise<boolean>;
  readonly forget: (path: string) => void;
} {
  const traits = new Map<string, string>();
  return {
    isChanged: async (path, beside) => {
      const own = await stateOfFile(path);
      if (own === undefined) return false;
      const others = await Promise.all(beside.map(stateOfFile));
      const sign = [own, ...others].join('\n');
      if (traits.get(path) === sign) return false;
      traits.set(path, sign);
      return true;
    },
    forget: (path) => {
      traits.delete(path);
    },
  };
}
