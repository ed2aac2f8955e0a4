import { startEventLog } from '../../history/event-log.ts';
import type { ByteSource } from '../../sources/byte-source.ts';
import { jsonElements } from '../../sources/json-elements.ts';
import type { JsonElement } from '../../sources/json-piece.ts';
import { readValue } from '../../sources/read-value.ts';
import type {
  BadReason,
  EventDraft,
  FormatReadOptions,
  TranscriptEvent,
} from '../../transcript.ts';

/** A value of a document, and where it stands. */
export interface DocumentValue {
  readonly value: unknown;
  /** The container: empty for the root, `/history` for a list in that field. */
  readonly path: string;
  /** Its key, where the container is an object. */
  readonly key?: string;
}

/** Makes events of the values of a document, one after the other. */
export interface DocumentVisitor {
  /** Whether a container is opened instead of being taken whole. */
  readonly enters: (path: string) => boolean;
  readonly visit: (value: DocumentValue) => readonly EventDraft[];
  /** What is left to say at the end. */
  readonly end?: () => readonly EventDraft[];
}

const nowhere = { bytes: new Uint8Array(), offset: 0, length: 0 };

/**
 * Reads a JSON document that is imported only.
 * Holds one value at a time; what does not parse is set aside by range, what makes no event becomes `meta`.
 */
export async function* readDocument(
  input: ByteSource,
  { log, maxRecordBytes }: FormatReadOptions,
  visitor: DocumentVisitor,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const events = startEventLog(log);
  const { progress, buffered } = log;
  const shouldEnter = visitor.enters;
  for await (const piece of jsonElements(input, {
    maxRecordBytes,
    progress,
    buffered,
    shouldEnter,
  })) {
    if (piece.kind !== 'element') continue;
    const bad = badnessOf(piece);
    const { value, bad: unread } = bad === undefined ? readValue(piece.bytes) : { bad };
    if (unread !== undefined) yield events.bad(unread, piece);
    else {
      const drafts = visitor.visit({ ...piece, value });
      for (const draft of drafts) yield events.event(draft, piece);
      if (drafts.length === 0)
        yield events.event({ kind: 'meta', extra: placed(piece, value) }, piece);
    }
  }
  for (const draft of visitor.end?.() ?? []) yield events.event(draft, nowhere);
}

function badnessOf({ isOverCap, isTrailing, isTorn }: JsonElement): BadReason | undefined {
  if (isOverCap) return 'over-cap';
  if (isTrailing) return 'trailing-bytes';
  return isTorn ? 'torn-tail' : undefined;
}

/** A value that is no event, with its place. */
function placed({ path, key }: JsonElement, value: unknown): Readonly<Record<string, unknown>> {
  const field = key === undefined ? path.slice(1) : `${path}/${key}`.slice(1);
  return { field, value };
}
