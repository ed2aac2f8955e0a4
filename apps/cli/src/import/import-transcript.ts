import {
  type ContextStore,
  CtxError,
  emptySessionDocument,
  fingerprintText,
  type RedactionMode,
  createRedactor,
  type Redactor,
  type Session,
  type TokenCounter,
} from '@ctx/core';
import { openTranscript } from '@ctx/transcripts';
import type { ImportEntry } from '../schemas/import.ts';
import { type EventWriter, type ImportTotals, startEventWriter } from './event-writer.ts';
import { idOfTranscript, type TranscriptIdentity } from './identify-transcript.ts';
import { importMarkOf, type ImportMark } from './import-mark.ts';
import { type OpenedFile, withFile } from './open-file.ts';
import { claimSession, type HeldClaim } from './session-claim.ts';
import { startClaimWait } from './wait-for-claim.ts';

/** How transcripts are imported. */
export interface ImportOptions {
  readonly redact: RedactionMode;
  readonly countTokens: TokenCounter;
  /** Id of the session. Default: that of the transcript, else file name and fingerprint. */
  readonly sessionId?: string;
  readonly signal: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
  /** Called while another process writes the same session. */
  readonly onWait?: () => void;
}

interface Target {
  readonly id: string;
  readonly session: Session | undefined;
}

/** The session to write. A file never takes the place of a session that came from elsewhere. */
async function targetOf(
  store: ContextStore,
  identity: TranscriptIdentity,
  wanted: string | undefined,
): Promise<Target> {
  const id = wanted ?? idOfTranscript(identity);
  const session = await store.sessions.get(id);
  const mark = session && importMarkOf(session);
  if (session === undefined || mark?.path === identity.path) return { id, session };
  if (mark?.fingerprint === identity.fingerprint) return { id, session };
  if (wanted !== undefined) {
    throw new CtxError(
      'CTX_STORE_CONFLICT',
      `session ${id} holds something else; choose another --session`,
    );
  }
  const other = `${id}-${fingerprintText(identity.path).slice(0, 8)}`;
  return { id: other, session: await store.sessions.get(other) };
}

function sessionFor(target: Target, identity: TranscriptIdentity, redactor: Redactor): Session {
  const { receipt, title, path, fingerprint } = identity;
  const now = Date.now();
  const mark: ImportMark = { path, fingerprint, format: receipt.format, isComplete: false };
  return {
    id: target.id,
    version: target.session?.version ?? 0,
    ...(title === undefined ? {} : { title: redactor.redact(title).value }),
    source: path,
    createdAt: receipt.firstAt ?? now,
    updatedAt: receipt.lastAt ?? receipt.firstAt ?? now,
    document: { ...emptySessionDocument(target.id), system_state: { import: mark } },
  };
}

interface DoneImport {
  readonly identity: TranscriptIdentity;
  readonly totals: ImportTotals;
  readonly redact: RedactionMode;
}

function finished(session: Session, { identity, totals, redact }: DoneImport): Session {
  const { input, output } = identity.receipt.usage;
  const mark = { ...importMarkOf(session), isComplete: true, redact };
  const { failures, tools } = totals;
  return {
    ...session,
    document: {
      ...session.document,
      system_state: { import: mark },
      tool_stats: { total_calls: totals.outputs, by_tool: Object.fromEntries(tools), failures },
      token_usage: { total_input: input, total_output: output, by_session: input + output },
    },
  };
}

function entryOf(identity: TranscriptIdentity, sessionId: string): Omit<ImportEntry, 'status'> {
  const { receipt, path } = identity;
  return {
    file: path,
    session: sessionId,
    format: receipt.format,
    messages: receipt.messages,
    events: receipt.records,
    outputs: 0,
    outputBytes: 0,
    outputTokens: 0,
    repaired: receipt.notes,
    unreadable: receipt.bad,
    redacted: {},
  };
}

async function writeEvents(
  identity: TranscriptIdentity,
  writer: EventWriter,
  { signal, onBytes }: ImportOptions,
): Promise<void> {
  const { path, fingerprint, receipt } = identity;
  const write = async (file: OpenedFile): Promise<void> => {
    const transcript = await openTranscript(file.chunks, { format: receipt.format });
    for await (const event of transcript.events) {
      if (signal.aborted) {
        throw new CtxError(
          'CTX_ABORTED',
          `the import of ${path} was stopped; run it again to go on`,
        );
      }
      if (writer.add(event)) await writer.flush();
    }
    await writer.flush();
    if (file.sha256() !== fingerprint) {
      throw new CtxError(
        'CTX_STORE_CONFLICT',
        `${path} changed while it was read; import it again`,
      );
    }
  };
  await withFile(path, write, onBytes);
}

async function unchangedEntry(
  store: ContextStore,
  identity: TranscriptIdentity,
  sessionId: string,
): Promise<ImportEntry> {
  const tally = await store.outputs.tally({ sessionId });
  return {
    ...entryOf(identity, sessionId),
    status: 'unchanged',
    outputs: tally.outputs,
    outputBytes: tally.bytes,
    outputTokens: tally.tokens,
  };
}

function isUnchanged(
  { session }: Target,
  { fingerprint }: TranscriptIdentity,
  redact: RedactionMode,
): boolean {
  const mark = session && importMarkOf(session);
  return mark?.isComplete === true && mark.fingerprint === fingerprint && mark.redact === redact;
}

interface ClaimedTarget {
  readonly store: ContextStore;
  readonly identity: TranscriptIdentity;
  readonly target: Target;
  readonly redactor: Redactor;
}

/** Writes the session anew; whatever a writer of before left of it is gone first. */
async function writeSession(
  { store, identity, target, redactor }: ClaimedTarget,
  claim: HeldClaim,
  options: ImportOptions,
): Promise<ImportEntry> {
  const { redact, countTokens } = options;
  await store.events.clear(target.id);
  await store.outputs.clear(target.id);
  const writer = startEventWriter(store, { sessionId: target.id, redactor, countTokens });
  const flush = async (): Promise<void> => {
    await claim.renew();
    await writer.flush();
  };
  await writeEvents(identity, { ...writer, flush }, options);
  const { totals } = writer;
  await claim.finish((session) => finished(session, { identity, totals, redact }));
  const { outputs, outputBytes, outputTokens, redacted } = totals;
  return {
    ...entryOf(identity, target.id),
    status: target.session === undefined ? 'imported' : 'replaced',
    outputs,
    outputBytes,
    outputTokens,
    redacted: Object.fromEntries(redacted),
  };
}

/**
 * Imports one transcript as one session: every event into the log, every tool result into the outputs.
 * Contract: the same file again changes nothing; a file that grew, or an import that was cut off, is written anew and
 * doubles nothing. Imports of several processes at once leave what one leaves: the first one claims the session, the others
 * wait and compare again. Memory: one batch (about 4 MB of transcript).
 * Throws: `CTX_ABORTED`, `CTX_STORE_CONFLICT`, and the codes of the store and of the reader.
 */
export async function importTranscript(
  store: ContextStore,
  identity: TranscriptIdentity,
  options: ImportOptions,
): Promise<ImportEntry> {
  const { redact, sessionId } = options;
  const others = startClaimWait(options);
  for (;;) {
    const target = await targetOf(store, identity, sessionId);
    if (isUnchanged(target, identity, redact)) return unchangedEntry(store, identity, target.id);
    if (!(await others.isFree(target.session))) continue;
    const redactor = createRedactor({ mode: redact });
    const session = sessionFor(target, identity, redactor);
    const done = await claimSession(store, session, (claim) =>
      writeSession({ store, identity, target, redactor }, claim, options),
    );
    if (done !== undefined) return done.result;
  }
}
