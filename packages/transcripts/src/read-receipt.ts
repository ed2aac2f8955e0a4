import type { TranscriptEvent, Usage } from './transcript.ts';
import { addUsage, noUsage } from './usage.ts';

/** Why a record could not be understood. */
export type BadReason =
  | 'bad-utf8'
  | 'not-json'
  | 'not-object'
  | 'not-message'
  | 'over-cap'
  | 'torn-tail'
  | 'trailing-bytes';

/** Bytes of the input that are no record, by range. */
export interface QuarantinedRange {
  readonly reason: BadReason;
  readonly offset: number;
  readonly length: number;
}

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

/** Collects the receipt of one read. Formats report to it, the reader shows it every event. */
export interface ReadLog {
  bad(reason: BadReason, offset: number, length: number): void;
  /** Counts an oddity. */
  note(name: string): void;
  /** Bytes of the input seen so far. */
  progress(bytes: number): void;
  /** Bytes held at this moment. */
  buffered(bytes: number): void;
  /** Takes one event into the sums. */
  event(event: TranscriptEvent): void;
  receipt(format: string, reasons: readonly string[]): ReadReceipt;
}

/** Starts a receipt. Cost: a few numbers per event, one set entry per response. */
export function startReadLog(): ReadLog {
  const bad = new Map<BadReason, number>();
  const quarantine: QuarantinedRange[] = [];
  const notes = new Map<string, number>();
  const totals = { bytes: 0, records: 0, messages: 0, boundaries: 0, rewinds: 0, peak: 0 };
  const groups = startGroupTotals();
  const lanes = new Set<string>();
  const times: { first?: number; last?: number } = {};
  return {
    bad: (reason, offset, length) => {
      bad.set(reason, (bad.get(reason) ?? 0) + 1);
      if (quarantine.length < maxQuarantinedRanges) quarantine.push({ reason, offset, length });
    },
    note: (name) => {
      notes.set(name, (notes.get(name) ?? 0) + 1);
    },
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
      if (event.at === undefined) return;
      times.first = Math.min(times.first ?? event.at, event.at);
      times.last = Math.max(times.last ?? event.at, event.at);
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
      notes: Object.fromEntries(notes),
      usage: groups.usage(),
      ...(times.first === undefined ? {} : { firstAt: times.first }),
      ...(times.last === undefined ? {} : { lastAt: times.last }),
      peakBufferedBytes: totals.peak,
    }),
  };
}

interface GroupTotals {
  add(event: TranscriptEvent): void;
  requests(): number;
  usage(): Usage;
}

/** Counts responses and their usage: of several records of one group the last usage counts. */
function startGroupTotals(): GroupTotals {
  const groups = new Map<string, Usage | undefined>();
  let alone = 0;
  let usageAlone = noUsage;
  return {
    add: (event) => {
      const isResponse =
        event.message?.role === 'assistant' && event.flags?.synthetic === undefined;
      if (event.groupId !== undefined && (isResponse || event.usage)) {
        groups.set(event.groupId, event.usage ?? groups.get(event.groupId));
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
