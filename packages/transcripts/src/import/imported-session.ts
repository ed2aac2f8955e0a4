import { emptySessionDocument, type Session } from '@ctx/store';
import type { ImportEntry } from './import-entry.ts';
import { type ImportMark, type ImportReport, withMark } from './import-mark.ts';
import type { SourceFacts } from './import-source.ts';
import type { ImportOptions, SessionImport } from './session-import.ts';

/** What stands in the session while it is written, and how far that is. */
export function newMark({ source, cursor }: SessionImport, options: ImportOptions): ImportMark {
  const { path, format, modifiedAt, beside } = source;
  const { redact, count = 'exact' } = options;
  return {
    path,
    format,
    isComplete: false,
    redact,
    count,
    cursor: cursor(),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    ...(beside === undefined ? {} : { beside }),
  };
}

/** The session as it is before its first event. */
export function begunSession(
  target: { readonly id: string; readonly version: number },
  running: SessionImport,
  options: ImportOptions,
): Session {
  const { source, redactor, traits } = running;
  const now = Date.now();
  const { firstAt = now } = source.receipt();
  const { title } = traits();
  const session: Session = {
    id: target.id,
    version: target.version,
    ...(title === undefined ? {} : { title: redactor.redact(title).value }),
    source: source.path,
    createdAt: firstAt,
    updatedAt: firstAt,
    document: emptySessionDocument(target.id),
  };
  return withMark(session, newMark(running, options));
}

/** What the reading of a source told so far. */
function reportOf({ receipt }: SourceFacts): ImportReport {
  const { messages, records, notes, bad } = receipt();
  return { messages, events: records, repaired: notes, unreadable: bad };
}

/** The session once all that is there was written. */
export function finishedSession(
  session: Session,
  running: SessionImport,
  { options, isComplete }: { readonly options: ImportOptions; readonly isComplete: boolean },
): Session {
  const { source, redactor, traits, written } = running;
  const { usage, firstAt, lastAt } = source.receipt();
  const { totals } = written();
  const { title } = traits();
  const { createdAt, updatedAt } = session;
  // As it was begun: by the clock if the first records of the file have no time.
  const isUntouched = updatedAt === createdAt;
  const mark: ImportMark = {
    ...newMark(running, options),
    isComplete,
    fingerprint: source.position().sha256(),
    report: reportOf(source),
  };
  return withMark(
    {
      ...session,
      ...(title === undefined ? {} : { title: redactor.redact(title).value }),
      createdAt: firstAt ?? createdAt,
      updatedAt: isUntouched ? (lastAt ?? updatedAt) : Math.max(lastAt ?? 0, updatedAt),
      document: {
        ...session.document,
        tool_stats: {
          total_calls: totals.outputs,
          by_tool: { ...totals.tools },
          failures: totals.failures,
        },
        token_usage: {
          total_input: usage.input,
          total_output: usage.output,
          by_session: usage.input + usage.output,
        },
      },
    },
    mark,
  );
}

/** What became of a session. */
interface WrittenSession {
  readonly id: string;
  readonly status: ImportEntry['status'];
}

/** The line of a transcript in the answer. */
export function writtenEntry(running: SessionImport, { id, status }: WrittenSession): ImportEntry {
  const { source, written } = running;
  const { outputs, outputBytes, outputTokens, redacted } = written().totals;
  return {
    file: source.path,
    status,
    session: id,
    format: source.format,
    ...reportOf(source),
    outputs,
    outputBytes,
    outputTokens,
    redacted,
  };
}
