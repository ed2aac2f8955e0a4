import { CtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import type { ContextStore, Session } from '@ctx/store';
import { claimSession, type HeldClaim } from './claims/session-claim.ts';
import { checkOnlyImported, undoUnfinished } from './claims/undo-unfinished.ts';
import { startClaimWait } from './claims/wait-for-claim.ts';
import type { FileChange } from './files/open-file.ts';
import type { ImportEntry } from './import-entry.ts';
import {
  type ImportCursor,
  type ImportMark,
  type ImportReport,
  importMarkOf,
  withMark,
} from './import-mark.ts';
import { type FileSourceOptions, type SourceFacts, withFileSource } from './import-source.ts';
import { begunSession, finishedSession, newMark, writtenEntry } from './imported-session.ts';
import { type ImportOptions, type SessionImport, startSessionImport } from './session-import.ts';
import { idOfTranscript } from './transcript-traits.ts';

/** The session that a transcript goes into. */
interface Target {
  readonly id: string;
  readonly session: Session | undefined;
  readonly mark: ImportMark | undefined;
  /** What became of the file since it was last imported; `other` where it never was. */
  readonly change: FileChange;
}

async function changeOf(
  { compare }: SourceFacts,
  mark: ImportMark | undefined,
): Promise<FileChange> {
  return mark?.cursor === undefined ? 'other' : compare(mark.cursor);
}

/** The session to write. A file never takes the place of a session that came from elsewhere. */
async function targetOf(
  store: ContextStore,
  { source, traits }: SessionImport,
  wanted: string | undefined,
): Promise<Target> {
  const { path } = source;
  const id = wanted ?? idOfTranscript({ ...traits(), path });
  const found = await targetWith(store, source, id);
  if (found.session === undefined || found.mark?.path === path) return found;
  if (found.mark?.isComplete === true && found.change === 'same') return found;
  if (wanted === undefined) {
    return targetWith(store, source, `${id}-${fingerprintText(path).slice(0, 8)}`);
  }
  throw new CtxError(
    'CTX_STORE_CONFLICT',
    `session ${id} holds something else; choose another --session`,
  );
}

async function targetWith(store: ContextStore, source: SourceFacts, id: string): Promise<Target> {
  const session = await store.sessions.get(id);
  const mark = session && importMarkOf(session);
  return { id, session, mark, change: await changeOf(source, mark) };
}

/** Whether what is stored was made as it would be now. */
function isAlike(
  mark: ImportMark,
  { format }: SourceFacts,
  { redact, count = 'exact' }: ImportOptions,
): boolean {
  return mark.redact === redact && mark.format === format && (mark.count ?? 'exact') === count;
}

/** Whether nothing came or changed beside the file. What lies beside a copy of it elsewhere does not count. */
function hasSameBeside({ path, beside }: ImportMark, { source }: SessionImport): boolean {
  return path !== source.path || beside === source.beside;
}

/** Where the writing goes on; `undefined` where it begins anew. */
function cursorFor(
  { mark, change }: Target,
  source: SourceFacts,
  options: ImportOptions,
): ImportCursor | undefined {
  if (mark?.cursor === undefined || mark.path !== source.path || change === 'other')
    return undefined;
  return isAlike(mark, source, options) ? mark.cursor : undefined;
}

async function unchangedEntry(store: ContextStore, target: Target): Promise<ImportEntry> {
  const { id, mark, session } = target;
  const tally = await store.outputs.tally({ sessionId: id });
  const none: ImportReport = { messages: 0, events: 0, repaired: {}, unreadable: {} };
  return {
    file: mark?.path ?? session?.source ?? '',
    status: 'unchanged',
    session: id,
    ...(mark === undefined ? {} : { format: mark.format }),
    ...(mark?.report ?? none),
    outputs: tally.outputs,
    outputBytes: tally.bytes,
    outputTokens: tally.tokens,
    redacted: {},
  };
}

/** What is written, and where. */
interface ImportJob {
  readonly store: ContextStore;
  readonly running: SessionImport;
  readonly target: Target;
  readonly options: ImportOptions;
}

/** Writes all that is there of a transcript whose session is claimed. */
async function writeRest(
  { running, options }: Pick<ImportJob, 'running' | 'options'>,
  claim: HeldClaim,
): Promise<void> {
  const { source, pump } = running;
  await pump(() => claim.renew((session) => withMark(session, newMark(running, options))));
  const isComplete = source.idle === undefined || source.position().endsWithLine;
  await claim.finish((session) => finishedSession(session, running, { options, isComplete }));
}

/** Writes a session, anew or after what is stored of it; whatever a killed writer left is gone first. */
async function writeSession(job: ImportJob, claim: HeldClaim): Promise<ImportEntry> {
  const { store, running, target, options } = job;
  const from = await undoUnfinished(store, target.id, cursorFor(target, running.source, options));
  running.begin(store, target.id, from);
  await writeRest(job, claim);
  const status = from === undefined ? 'replaced' : 'continued';
  return writtenEntry(running, {
    id: target.id,
    status: target.session === undefined ? 'imported' : status,
  });
}

/** The session while it is written: what is known of it stays where the import goes on. */
function claimedSession({ target, running, options }: ImportJob): Session {
  const { session, mark } = target;
  const isGoingOn = cursorFor(target, running.source, options) !== undefined;
  if (!isGoingOn || session === undefined || mark === undefined)
    return begunSession({ id: target.id, version: session?.version ?? 0 }, running, options);
  return withMark(session, { ...mark, isComplete: false });
}

/**
 * Imports what is there of a source. `undefined` where another writer came first: open the source again.
 * @throws as {@link importTranscript}.
 */
export async function importSource(
  store: ContextStore,
  running: SessionImport,
  options: ImportOptions,
): Promise<ImportEntry | undefined> {
  const others = startClaimWait(options);
  for (;;) {
    const target = await targetOf(store, running, options.sessionId);
    const { mark, change, session } = target;
    const isDone = mark?.isComplete === true && change === 'same' && hasSameBeside(mark, running);
    if (isDone && isAlike(mark, running.source, options)) return unchangedEntry(store, target);
    if (!(await others.isFree(session))) continue;
    if (session !== undefined) {
      await checkOnlyImported(store, target.id, cursorFor(target, running.source, options));
    }
    const job = { store, running, target, options };
    const done = await claimSession(store, claimedSession(job), (claim) =>
      writeSession(job, claim),
    );
    return done?.result;
  }
}

/** Whether the cursor is where it was. */
function isAt({ cursor }: ImportMark, { sha256, events }: ImportCursor): boolean {
  return cursor?.sha256 === sha256 && cursor.events === events;
}

/**
 * Imports what was added to a source since {@link importSource} or this had read all of it, without reading the rest again.
 * `undefined` where the session is no longer as it was left: open the source again.
 */
export async function continueImport(
  store: ContextStore,
  running: SessionImport,
  options: ImportOptions,
): Promise<ImportEntry | undefined> {
  const id = running.sessionId();
  const session = id === undefined ? undefined : await store.sessions.get(id);
  const mark = session && importMarkOf(session);
  if (id === undefined || session === undefined || mark === undefined) return undefined;
  if (!isAt(mark, running.cursor()) || !(await startClaimWait(options).isFree(session)))
    return undefined;
  const claimed = withMark(session, { ...mark, isComplete: false });
  const done = await claimSession(store, claimed, (claim) =>
    writeRest({ running, options }, claim),
  );
  return done && writtenEntry(running, { id, status: 'continued' });
}

/**
 * Imports one file as one session: every event into the log, every tool result into the outputs.
 * The same file again changes nothing. An import that was cut off, even by a kill, goes on where it was, and one of a
 * file that grew goes on after what is stored: nothing doubled, nothing lost. A file that begins with other bytes is written
 * anew. Imports of several processes at once leave what one leaves: the first one claims the session, the others wait and
 * compare again. Memory: one batch (about 0.5 MB of transcript). Makes one pass; where an import goes on, what is stored already
 * is read and hashed, not written.
 * @throws `CTX_ABORTED`, `CTX_STORE_CONFLICT`, and the codes of the store and of the reader.
 */
export async function importTranscript(
  store: ContextStore,
  path: string,
  options: ImportOptions & FileSourceOptions,
): Promise<ImportEntry> {
  for (;;) {
    const done = await withFileSource(path, options, async (source) =>
      importSource(store, await startSessionImport(source, options), options),
    );
    if (done !== undefined) return done;
  }
}
