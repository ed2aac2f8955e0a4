import { namingFile } from '@ctx/transcripts/import';
import { basename, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { automaticCompaction } from '@ctx/agent-adapter';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import {
  type LoadedSession,
  type ReplayPolicy,
  type ReplayedSession,
  type SessionTimes,
  beginReplay,
  firstPolicies,
  loadSessions,
  openReplayStore,
  replayPolicies,
  replaySession,
  rowOf,
  startRequestWriter,
  withoutGaps,
} from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import type { CachePrice } from '@ctx/truncation/cost';
import { type CommandContext, checkNotStopped, type StoreFlags } from '../command-context.ts';
import type { Progress } from '../terminal/progress.ts';
import { countText } from '../terminal/render.ts';
import { priceNamed } from './price-named.ts';
import { backendOf } from '../store/open-store-url.ts';

/** What a replay was told. */
export interface ReplayFlags extends StoreFlags {
  readonly demo?: boolean;
  readonly window: number;
  /** Default: all. */
  readonly policy?: readonly ReplayPolicy[];
  readonly price: string;
  /** Default: `price`. */
  readonly plannedFor?: string;
  readonly times?: string;
  /** False: requests are evenly spaced. */
  readonly gaps: boolean;
  readonly redact: RedactionMode;
  readonly requestsOut?: string;
  readonly html?: string;
  /** Every measure, not only the first. */
  readonly wide?: boolean;
}

/** A replay that goes on. */
export interface ReplayRun {
  readonly context: CommandContext;
  readonly flags: ReplayFlags;
  readonly price: CachePrice;
  readonly url: StoreUrl;
  readonly times: SessionTimes;
  readonly progress: Progress;
}

/** A report shows everything there is, unless it is told. */
function policiesOf({ policy, html }: ReplayFlags): readonly ReplayPolicy[] {
  if (policy !== undefined) return policy;
  if (html !== undefined) return replayPolicies;
  return firstPolicies.flatMap((name) => replayPolicies.find((each) => each.name === name) ?? []);
}

async function openedFor({ url, flags }: ReplayRun, sessionId: string): Promise<ContextStore> {
  const redactor = createRedactor({ mode: flags.redact });
  return openReplayStore(await backendOf(url), sessionId, redactor);
}

async function replayOne(run: ReplayRun, loaded: LoadedSession): Promise<ReplayedSession> {
  const { context, flags, price, progress } = run;
  const { session, file, format, times, repaired, lanesLeftOut } = loaded;
  const writer =
    flags.requestsOut === undefined
      ? undefined
      : await startRequestWriter(resolve(context.host.cwd, flags.requestsOut), session.id);
  const store = await openedFor(run, session.id);
  try {
    const report = await replaySession(
      { ...session, id: await beginReplay(store, loaded, context.host.signal) },
      {
        store,
        policies: policiesOf(flags),
        price,
        ...(flags.plannedFor === undefined ? {} : { plannedPrice: priceNamed(flags.plannedFor) }),
        windowTokens: flags.window,
        countTokens: tokenCounterFor(),
        compactWindow: automaticCompaction,
        signal: context.host.signal,
        onProgress: ({ step, steps }) => {
          progress.show(
            `replaying ${session.id}: request ${countText(step)} of ${countText(steps)}`,
          );
        },
        // A replay in memory waits for nothing: Ctrl-C would come through behind its last request.
        onRequest: async (request) => {
          await setImmediate();
          await writer?.write(request);
        },
      },
    );
    const { messages, requests, saved, policies } = report;
    return {
      id: session.id,
      file,
      format,
      messages,
      requests,
      times,
      repaired,
      ...(lanesLeftOut === 0 ? {} : { lanesLeftOut }),
      saved,
      policies: policies.map(rowOf),
    };
  } finally {
    await writer?.close();
    await store.close();
  }
}

/** The id, or with a number behind it where another file of this run had it already. */
function freeName(id: string, taken: ReadonlySet<string>): string {
  let name = id;
  for (let count = 2; taken.has(name); count += 1) name = `${id}-${String(count)}`;
  return name;
}

/** Replays the sessions of files, one after the other. Throws: `CTX_ABORTED`, and the codes of the files and the store. */
export async function replayFiles(
  run: ReplayRun,
  paths: readonly string[],
): Promise<ReplayedSession[]> {
  const sessions: ReplayedSession[] = [];
  for (const [index, path] of paths.entries()) {
    checkNotStopped(run.context, 'the replay');
    run.progress.show(`reading ${String(index + 1)}/${String(paths.length)} ${path}`);
    // One file after the other: what is done is forgotten before the next one is read.
    for (const loaded of await namingFile(basename(path), () => loadSessions(path, run.times))) {
      const id = freeName(loaded.session.id, new Set(sessions.map((done) => done.id)));
      const timed = run.flags.gaps ? loaded : withoutGaps(loaded);
      sessions.push(await replayOne(run, { ...timed, session: { ...timed.session, id } }));
    }
  }
  return sessions;
}
