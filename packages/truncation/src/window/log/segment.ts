import type { ContentBlock, Message, ToolUseBlock } from '@ctx/core';
import type { CallUse } from '../../calls/describe-call.ts';

/** What a piece of content became when it came in. */
export type InsertForm = 'whole' | 'thin' | 'normalised' | 'same' | 'diff' | 'overlap' | 'preview';

/** What it became since: gone but for a line, a short stand-in, a part of it, gone with its call, shortened, cut or summed up with its messages. */
export type EditForm = 'ledger' | 'stub' | 'part' | 'gone' | 'short' | 'cut' | 'summarised';

/** Why content leaves: the window forces it, the cache is cold anyway, or it pays. */
export type FlushCause = 'hard' | 'free' | 'economic';

/** Why it changed: a flush, or a compaction. */
export type EditCause = FlushCause | 'compaction';

/** One change to what is shown of a segment. Plain data. */
export interface SegmentEdit {
  /** Place of the segment in the log. */
  readonly segment: number;
  readonly form: EditForm;
  /** What is shown instead; nothing where it is left out. */
  readonly block?: ContentBlock;
  /** Tokens of what is shown now. */
  readonly tokens: number;
}

/** The smallest piece that ever changes: one block of a message. */
export interface WindowSegment {
  /** Place of its message in the log. */
  readonly message: number;
  /** Where the original is read again. */
  readonly pointer: string;
  /** The same as lines name it, where that is shorter. */
  readonly address: string | undefined;
  readonly form: InsertForm;
  /** Tokens of the block as it came in, and as it went into the log. */
  readonly givenTokens: number;
  readonly insertedTokens: number;
  /** What is shown now; `undefined` where nothing is. */
  block: ContentBlock | undefined;
  /** Tokens of what is shown now. */
  tokens: number;
  edit: { readonly form: EditForm; readonly cause: EditCause } | undefined;
}

/** A message of the log: the segments from `first` up to, but without, `end`. */
export interface LoggedMessage {
  readonly role: Message['role'];
  readonly extra?: Message['extra'];
  readonly first: number;
  readonly end: number;
  /** Place of the first message of its unit: the one with the calls that it answers, or itself. */
  readonly unit: number;
  /** The message as one object, while nothing of it changed. */
  whole: Message | undefined;
}

/** A call with its result: what leaves together. */
export interface Pair {
  readonly index: number;
  readonly call: ToolUseBlock;
  readonly use: CallUse | undefined;
  /** Fingerprint of the result's text. */
  readonly print: string | undefined;
  readonly callSegment: number;
  readonly resultSegment: number;
  /** Where the result is read again, and where the input is. */
  readonly pointer: string;
  readonly callPointer: string;
  /** What the line that stands for it names: `pointer`, or a shorter address of the same. */
  readonly address: string;
  readonly isError: boolean;
  /** Whether its message holds blocks that providers want back with the call, so that the call stays as long as they do. */
  isBound: boolean;
  /** The turn of the user in which it was made. */
  readonly turn: number;
  /** What stands for it when it leaves. */
  edits: readonly SegmentEdit[];
  /** Tokens that this saves. */
  readonly savedTokens: number;
  /** Tokens of the line, or of the stand-in, that stays of the result then. */
  ledgerTokens: number;
  /** About how many tokens the result has when it is shown in part; `undefined` where it leaves at once. */
  readonly partTokens: number | undefined;
  isInPart: boolean;
  /** Tokens that it saved by leaving when it was last asked. */
  leavingTokens: number;
  /** Number of the request for which it could leave first. */
  nominatedAt: number;
  state: 'tail' | 'waiting' | 'held' | 'part' | 'candidate' | 'staying' | 'left';
  /** The pair in view that it only points to, differs from a little, or goes on from. */
  readonly restsOn: Pair | undefined;
  /** The newest pair that shows only what this one does not, or that nothing changed. */
  restedOnBy?: Pair;
  /** Whether a newer read of the same lines, came since. */
  isOutdated: boolean;
}

/** A message with thinking and calls. Providers want it back as it is while its tool loop runs. */
export interface ThoughtfulMessage {
  /** Segments of the thinking. */
  readonly thoughts: readonly number[];
  /** How many calls the message has, and those of them that have their results. */
  readonly calls: number;
  readonly pairs: Pair[];
  /** The turn of the user in which it was made. */
  readonly turn: number;
}
