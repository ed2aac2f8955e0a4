import { setImmediate } from 'node:timers/promises';
import { CtxError } from '@ctx/core';
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

/** The id, or with a number after it if another file of this run had it already. */
function freeName(id: string, taken: ReadonlySet<string>): string {
  let name = id;
  for (let count = 2; taken.has(name); count += 1) name = `${id}-${String(count)}`;
  return name;
}

/**
 * Replays the sessions of transcripts, of files or read already, one after the other, and sums what was found.
 *
 * @throws `CTX_ABORTED`, and the codes of the files and of the store.
 */
export async function replayFiles(
  sources: readonly (string | ReadTranscript)[],
  options: ReplayFilesOptions,
): Promise<ReplaySummary> {
  const sessions: ReplayedSession[] = [];
  for (const [index, source] of sources.entries()) {
    if (options.signal.aborted) throw new CtxError('CTX_ABORTED', 'the replay was stopped');
    const name = typeof source === 'string' ? source : source.file;
    options.onProgress(`reading ${String(index + 1)}/${String(sources.length)} ${name}`);
    // One file after the other: what is done is forgotten before the next one is read.
    const loadedOfFile = await loadSessions(source, options.times);
    for (const loaded of loadedOfFile) {
      const id = freeName(loaded.session.id, new Set(sessions.map((done) => done.id)));
      const timed = options.withoutGaps ? withoutGaps(loaded) : loaded;
      sessions.push(await replayOne({ ...timed, session: { ...timed.session, id } }, options));
    }
  }
  const { redact, windowTokens, price } = options;
  const totals = sumRows(sessions.flatMap(({ policies }) => policies));
  return { redact, windowTokens, price: price.name, pricesDate, sessions, totals };
}
