/** What an index of words and its table took after it was built. */
interface BuiltSize {
  readonly bytes: number;
  readonly tableBytes: number;
}

/** An index of words as the server has it. */
export interface WordIndex {
  /** Schema and name, quoted. */
  readonly name: string;
  readonly bytes: number;
  /** With what is stored out of line. */
  readonly tableBytes: number;
  /** The comment on it. */
  readonly comment: string | undefined;
  /** Whether this user may rebuild it. */
  readonly isOwn: boolean;
  /** Whether the table is vacuumed, or one of its indexes is being built. */
  readonly isBusy: boolean;
  /** Indexes that a rebuild left when it was broken off: schema and name, quoted. */
  readonly leftovers: readonly string[];
  /** By the server's clock, ms. */
  readonly now: number;
}

/** What there is to do to an index of words. */
export interface RebuildPlan {
  readonly drops: readonly string[];
  readonly isRebuilt: boolean;
}

/** What the comment on an index says. */
interface Comment extends Partial<BuiltSize> {
  /** When a rebuild was begun, ms. */
  readonly began?: number;
}

/** A smaller index is never worth a rebuild. */
const leastBytes = 8_388_608;
/** An index is rebuilt once it is so many times as large as it should be. Inserts at random leave its pages half full. */
const mostGrowth = 3;
/** An index that was never rebuilt should be at most so large, as a share of its table. The scale bench has 0.11. */
const usualShare = 1 / 6;
/** Another process that has begun locks the table within this time, or was killed. */
const startMs = 60_000;
const prefix = 'ctx ';

function numberIn(value: object, name: string): number | undefined {
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof found === 'number' ? found : undefined;
}

/** Reads a comment of {@link commentText}; one that a person wrote says nothing. */
function readComment(text = ''): Comment {
  if (!text.startsWith(prefix)) return {};
  try {
    const value = Object(JSON.parse(text.slice(prefix.length))) as object;
    const [bytes, tableBytes, began] = ['bytes', 'tableBytes', 'began'].map((name) =>
      numberIn(value, name),
    );
    return {
      ...(bytes !== undefined && { bytes }),
      ...(tableBytes !== undefined && { tableBytes }),
      ...(began !== undefined && { began }),
    };
  } catch {
    return {};
  }
}

function commentText(comment: Comment): string {
  return prefix + JSON.stringify(comment);
}

/** The comment that tells others of a rebuild that begins. */
export function beganComment({ comment, now }: WordIndex): string {
  return commentText({ ...readComment(comment), began: now });
}

/** The comment that keeps what an index takes without the words of deleted records. */
export function builtComment({ bytes, tableBytes }: WordIndex): string {
  return commentText({ bytes, tableBytes });
}

/** What an index should take at most. */
function usualBytes({ tableBytes, comment }: WordIndex): number {
  const { bytes, tableBytes: before } = readComment(comment);
  if (bytes === undefined || before === undefined) return tableBytes * usualShare;
  return bytes * Math.max(1, tableBytes / Math.max(1, before));
}

/** Decides whether an index of words has to be rebuilt. Leaves it to another process that has begun. */
export function planRebuild(index: WordIndex): RebuildPlan {
  const { bytes, isOwn, isBusy, leftovers, now, comment } = index;
  const { began = Number.NEGATIVE_INFINITY } = readComment(comment);
  if (!isOwn || isBusy || Math.abs(now - began) < startMs) return { drops: [], isRebuilt: false };
  const isRebuilt = bytes >= leastBytes && bytes > mostGrowth * usualBytes(index);
  return { drops: leftovers, isRebuilt };
}
