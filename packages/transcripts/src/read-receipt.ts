import type { BadReason, QuarantinedRange, ReadLog, TranscriptEvent, Usage } from './transcript.ts';
import { addUsage, noUsage } from './usage.ts';

/** What was read, and what was not. */
export interface ReadReceipt {
  readonly format: string;
  /** Why this format was taken. */
  readonly reasons: readonly string[];
  readonly bytes: number;
  readonly records: number;
  readonly messages: number;
  /** Responses of a model: groups of assistant records. */
  readonly requests: number;
  readonly lanes: readonly string[];
  readonly boundaries: number;
  readonly rewinds: number;
  /** Records that could not be understood, by reason. */
  readonly bad: Readonly<Partial<Record<BadReason, number>>>;
  /** Where they stand, the first {@link maxQuarantinedRanges} of them. */
  readonly quarantine: readonly QuarantinedRange[];
  /** Oddities that were dealt with, by name. */
  readonly notes: Readonly<Record<string, number>>;
  /** Summed over the requests. */
  readonly usage: Usage;
  /** Earliest time, ms since the epoch. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** The most bytes held at once while cutting the input into records. */
  readonly peakBufferedBytes: number;
}

/** How many ranges a receipt lists; more are only counted. */
export const maxQuarantinedRanges = 1_000;

/** A log that gives the receipt. */
export interface ReceiptLog extends ReadLog {
  readonly receipt: (format: string, reasons: readonly string[]) => ReadReceipt;
}

/** Starts a receipt. Keeps a few numbers per event, and an entry for each of the newest 10,000 responses. */
export function startReadLog(): ReceiptLog {
  const bad = new Map<BadReason, number>();
  const quarantine: QuarantinedRange[] = [];
  const notes = startNotes();
  const totals = { bytes: 0, records: 0, messages: 0, boundaries: 0, rewinds: 0, peak: 0 };
  const groups = startGroupTotals();
  const lanes = new Set<string>();
  const times = startTimes();
  return {
    bad: (reason, offset, length) => {
      bad.set(reason, (bad.get(reason) ?? 0) + 1);
      if (quarantine.length < maxQuarantinedRanges) quarantine.push({ reason, offset, length });
    },
    note: notes.add,
    progress: (bytes) => {
      totals.bytes = Math.max(totals.bytes, bytes);
    },
    buffered: (bytes) => {
      totals.peak = Math.max(totals.peak, bytes);
    },
    event: (event) => {
      totals.records += 1;
      if (event.kind === 'message') totals.messages += 1;
      if (event.kind === 'boundary') totals.boundaries += 1;
      if (event.kind === 'rewind') totals.rewinds += 1;
      if (event.kind === 'message') lanes.add(event.lane);
      groups.add(event);
      times.add(event.at);
    },
    receipt: (format, reasons) => ({
      format,
      reasons,
      bytes: totals.bytes,
      records: totals.records,
      messages: totals.messages,
      requests: groups.requests(),
      lanes: [...lanes],
      boundaries: totals.boundaries,
      rewinds: totals.rewinds,
      bad: Object.fromEntries(bad),
      quarantine: [...quarantine],
      notes: notes.counts(),
      usage: groups.usage(),
      ...times.range(),
      peakBufferedBytes: totals.peak,
    }),
  };
}

interface Notes {
  readonly add: (name: string) => void;
  readonly counts: () => Readonly<Record<string, number>>;
}

function startNotes(): Notes {
  const notes = new Map<string, number>();
  return {
    add: (name) => {
      notes.set(name, (notes.get(name) ?? 0) + 1);
    },
    counts: () => Object.fromEntries(notes),
  };
}

interface Times {
  readonly add: (at: number | undefined) => void;
  readonly range: () => { firstAt?: number; lastAt?: number };
}

function startTimes(): Times {
  let range: { firstAt: number; lastAt: number } | undefined;
  return {
    add: (at) => {
      if (at === undefined) return;
      const { firstAt, lastAt } = range ?? { firstAt: at, lastAt: at };
      range = { firstAt: Math.min(firstAt, at), lastAt: Math.max(lastAt, at) };
    },
    range: () => range ?? {},
  };
}

interface GroupTotals {
  readonly add: (event: TranscriptEvent) => void;
  readonly requests: () => number;
  readonly usage: () => Usage;
}

/** Responses that may still go on: a log may hold millions, and the records of one stand close together. */
const maxOpenGroups = 10_000;

/**
 * Counts responses and their usage: of several records of one group the last usage counts. One that goes on after 10,000 others have
 * begun counts as another.
 */
function startGroupTotals(): GroupTotals {
  const groups = new Map<string, Usage | undefined>();
  let alone = 0;
  let usageAlone = noUsage;
  // Goes on where it was: one that begins anew steps over all that was deleted before.
  const oldestFirst = groups.entries();
  const settleOldest = (): void => {
    if (groups.size <= maxOpenGroups) return;
    const [id, usage] = oldestFirst.next().value ?? [];
    if (id === undefined) return;
    groups.delete(id);
    alone += 1;
    if (usage !== undefined) usageAlone = addUsage(usageAlone, usage);
  };
  return {
    add: (event) => {
      const isResponse =
        event.message?.role === 'assistant' && event.flags?.synthetic === undefined;
      if (event.groupId !== undefined && (isResponse || event.usage)) {
        groups.set(event.groupId, event.usage ?? groups.get(event.groupId));
        settleOldest();
        return;
      }
      if (isResponse) alone += 1;
      if (event.usage) usageAlone = addUsage(usageAlone, event.usage);
    },
    requests: () => alone + groups.size,
    usage: () => {
      let sum = usageAlone;
      for (const usage of groups.values()) if (usage) sum = addUsage(sum, usage);
      return sum;
    },
  };
}
