import { blockText } from './block-text.ts';
import type { SessionView, ShownSegment } from './request-moment.ts';

/** What became of a piece between two requests. */
export type PieceChange = 'added' | 'changed' | 'removed' | 'kept';

/** A piece of two requests. */
export interface ChangedPiece {
  readonly change: PieceChange;
  /** As the later request has it. */
  readonly segment: ShownSegment;
  /** What each request shows of it; missing where it shows nothing. */
  readonly before?: string;
  readonly after?: string;
  /** Tokens of what each request shows. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Where the later request stops being the earlier one. */
export interface Divergence {
  /** The piece that the earlier request has there. */
  readonly segment: ShownSegment;
  /** The first byte of its text that is not the same. */
  readonly byte: number;
  /** Tokens before it, system prompt and tools among them: what a cache can answer. */
  readonly prefixTokens: number;
}

/** What is different between two requests. */
export interface MomentDiff {
  readonly pieces: readonly ChangedPiece[];
  /** Missing where the later request only adds to the earlier one. */
  readonly divergence?: Divergence;
}

const textOf = ({ block }: Pick<ShownSegment, 'block'>): string | undefined =>
  block === undefined ? undefined : blockText(block);

function changeOf(before: string | undefined, after: string | undefined): PieceChange | undefined {
  if (before === after) return after === undefined ? undefined : 'kept';
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

function firstByte(before: string, after: string): number {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return Buffer.byteLength(before.slice(0, same));
}

function divergenceOf(
  pieces: readonly ChangedPiece[],
  fixedTokens: number,
): Pick<MomentDiff, 'divergence'> {
  // What comes after the end of the earlier request is no divergence.
  const sent = pieces.filter(({ before, after }) => before !== undefined || after !== undefined);
  const last = sent.findLastIndex(({ before }) => before !== undefined);
  const place = sent.findIndex(({ change }, index) => change !== 'kept' && index <= last);
  const found = sent[place];
  if (found === undefined) return {};
  const { segment, before = '', after = '' } = found;
  const kept = sent.slice(0, place).reduce((sum, { tokensAfter }) => sum + tokensAfter, 0);
  const prefixTokens = fixedTokens + kept;
  return { divergence: { segment, byte: firstByte(before, after), prefixTokens } };
}

/** Compares the windows of two requests piece by piece. Pure. */
export function diffMoments(before: SessionView, after: SessionView): MomentDiff {
  const old = new Map(before.segments.map((one) => [one.segment, one]));
  const pieces = after.segments.flatMap((segment): ChangedPiece[] => {
    const was = old.get(segment.segment);
    const [texts, text] = [was === undefined ? undefined : textOf(was), textOf(segment)];
    const change = changeOf(texts, text);
    if (change === undefined) return [];
    return [
      {
        ...{ change, segment },
        ...(texts === undefined ? {} : { before: texts }),
        ...(text === undefined ? {} : { after: text }),
        tokensBefore: texts === undefined ? 0 : (was?.tokens ?? 0),
        tokensAfter: text === undefined ? 0 : segment.tokens,
      },
    ];
  });
  return { pieces, ...divergenceOf(pieces, after.fixedTokens) };
}
