import { setImmediate } from 'node:timers/promises';
import { CtxError, isCtxError } from '@ctx/core';
import { countText } from '@ctx/core/encoding';
import type { ContextStore, OpenStoreOptions } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { tokenCounterFor } from '@ctx/tokens';
import { pricesDate } from '@ctx/truncation';
import { defaultReplayPolicies } from '../policies/replay-policies.ts';
import { type ReplayedRequest, type ReplayOptions, replaySession } from '../replay.ts';
import type { ReplayReport } from '../replay-report.ts';
import { startRequestWriter } from '../requests/write-requests.ts';
import type { ReplayedSession, ReplaySummary } from '../summary/replay-summary.ts';
import { rowOf, sumRows } from '../summary/sum-rows.ts';
import {
  type LoadedSession,
  loadSessions,
  type ReadTranscript,
  type SessionTimes,
  withoutGaps,
} from './load-sessions.ts';
import { beginReplay, openReplayStore } from './replay-store.ts';

type Replaying = Pick<ReplayOptions, 'price' | 'plannedPrice' | 'compactWindow'>;

/** How the sessions of files are replayed. */
export interface ReplayFilesOptions extends Replaying {
  /** Opens where the tool outputs of a session go; asked once a session. */
  readonly openBackend: () => Promise<StoreBackend>;
  /** Default: `defaultReplayPolicies`. */
  readonly policies?: ReplayOptions['policies'];
  readonly windowTokens: number;
  /** What the summary says of redaction; `createRedactor` makes what does it, anew for each session. */
  readonly redact: ReplaySummary['redact'];
  readonly createRedactor: () => OpenStoreOptions['redactor'];
  /** Send times by session id, seconds since the first request, one for each assistant message. */
  readonly times: SessionTimes;
  /** Spaces requests evenly, whatever the recording says. */
  readonly withoutGaps: boolean;
  /** Folder to which every request is written, a file for each session and policy. */
  readonly requestsFolder?: string;
  /** What is being done, for a line of progress. */
  readonly onProgress: (text: string) => void;
  /** Called after each step of a session. */
  readonly onStep?: ReplayOptions['onProgress'];
  /** Called for each request of each policy, in order. */
  readonly onRequest?: (request: ReplayedRequest) => void;
  /** Called once with what to say of files below folders that were left out, as no known transcript. */
  readonly onSkipped?: (text: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Writes the requests, where they are wanted, and lets Ctrl-C be heard: a replay in memory waits for nothing. */
async function requestSink({ requestsFolder, onRequest }: ReplayFilesOptions, sessionId: string) {
  const writer =
    requestsFolder === undefined ? undefined : await startRequestWriter(requestsFolder, sessionId);
  return {
    take: async (request: ReplayedRequest) => {
      await setImmediate();
      onRequest?.(request);
      await writer?.write(request);
    },
    close: async () => writer?.close(),
  };
}

async function replayIn(
  store: ContextStore,
  loaded: LoadedSession,
  options: ReplayFilesOptions,
): Promise<ReplayReport> {
  const { price, plannedPrice, windowTokens, compactWindow, signal, onProgress } = options;
  const { session } = loaded;
  const sink = await requestSink(options, session.id);
  try {
    return await replaySession(
      { ...session, id: await beginReplay(store, loaded, signal) },
      {
        ...{ store, price, windowTokens, compactWindow, signal },
        policies: options.policies ?? defaultReplayPolicies,
        ...(plannedPrice === undefined ? {} : { plannedPrice }),
        countTokens: tokenCounterFor(),
        onRequest: sink.take,
        onProgress: ({ step, steps }) => {
          options.onStep?.({ step, steps });
          onProgress(`replaying ${session.id}: request ${countText(step)} of ${countText(steps)}`);
        },
      },
    );
  } finally {
    await sink.close();
  }
}

async function replayOne(
  loaded: LoadedSession,
  options: ReplayFilesOptions,
): Promise<ReplayedSession> {
  const { session, file, format, times, repaired, asideOf } = loaded;
  const backend = await options.openBackend();
  const store = await openReplayStore(backend, session.id, options.createRedactor());
  try {
    const { messages, requests, saved, policies } = await replayIn(store, loaded, options);
    return {
      ...{ id: session.id, file, format, messages, requests, times, repaired },
      ...(asideOf === undefined ? {} : { asideOf }),
      saved,
      policies: policies.map(rowOf),
    };
  } finally {
    await store.close();
  }
}

/** A file, and whether it was named itself, not a folder above it. */
interface ReplayFile {
  readonly path: string;
  readonly isNamed: boolean;
}

type ReplaySource = string | ReplayFile | ReadTranscript;

function labelOf(source: ReplaySource): string {
  if (typeof source === 'string') return source;
  return 'path' in source ? source.path : source.file;
}

/** The sessions of a source; none of a file below a folder that is no known transcript. */
async function sessionsOf(source: ReplaySource, times: SessionTimes): Promise<LoadedSession[]> {
  if (typeof source === 'string' || !('path' in source)) return loadSessions(source, times);
  try {
    return await loadSessions(source.path, times);
  } catch (error) {
    if (source.isNamed || !isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT')) throw error;
    return [];
  }
}

/** Most skipped files that are named. */
const namedSkips = 10;

function listOf(paths: readonly string[]): string {
  const rest = paths.length - namedSkips;
  const named = paths.slice(0, namedSkips).join(', ');
  return `${named}${rest > 0 ? ` and ${countText(rest)} more` : ''}`;
}

/** The id, or with a number after it if another file of this run had it already. */
function freeName(id: string, taken: ReadonlySet<string>): string {
  let name = id;
  for (let count = 2; taken.has(name); count += 1) name = `${id}-${String(count)}`;
  return name;
}

/**
 * Replays the sessions of transcripts, of files or read already, one after the other, and sums what was found.
 *
 * @throws `CTX_ABORTED`, `CTX_USAGE` where all files were left out, and the codes of the files and of the store.
 */
export async function replayFiles(
  sources: readonly ReplaySource[],
  options: ReplayFilesOptions,
): Promise<ReplaySummary> {
  const sessions: ReplayedSession[] = [];
  const skipped: string[] = [];
  for (const [index, source] of sources.entries()) {
    if (options.signal.aborted) throw new CtxError('CTX_ABORTED', 'the replay was stopped');
    const name = labelOf(source);
    options.onProgress(`reading ${String(index + 1)}/${String(sources.length)} ${name}`);
    // One file after the other: what is done is forgotten before the next one is read.
    const loadedOfFile = await sessionsOf(source, options.times);
    if (loadedOfFile.length === 0) skipped.push(name);
    for (const loaded of loadedOfFile) {
      const id = freeName(loaded.session.id, new Set(sessions.map((done) => done.id)));
      const timed = options.withoutGaps ? withoutGaps(loaded) : loaded;
      sessions.push(await replayOne({ ...timed, session: { ...timed.session, id } }, options));
    }
  }
  if (skipped.length > 0 && sessions.length === 0) {
    throw new CtxError('CTX_USAGE', `no transcript among ${listOf(skipped)}`);
  }
  if (skipped.length > 0)
    await options.onSkipped?.(`skipped, as no known transcript: ${listOf(skipped)}`);
  const { redact, windowTokens, price } = options;
  const totals = sumRows(sessions.flatMap(({ policies }) => policies));
  return { redact, windowTokens, price: price.name, pricesDate, sessions, totals };
}
