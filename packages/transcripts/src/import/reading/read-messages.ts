import type { CtxErrorCode } from '@ctx/core';
import type { RedactionMode } from '@ctx/redact';
import type { ReadReceipt } from '../../read-receipt.ts';
import type { SourcePosition } from '../files/open-file.ts';
import type { CountMode } from '../import-mark.ts';
import type { ImportSource, SourceFacts } from '../import-source.ts';
import type { TranscriptTraits } from '../transcript-traits.ts';
import type { ReadStart, ReadStep } from './read-steps.ts';

/** What a thread reads, and how. */
export interface ReadTask {
  readonly path: string;
  /** Name of the format. Default: told from the content. */
  readonly format?: string;
  readonly redact: RedactionMode;
  readonly count: CountMode;
}

/** How far a thread has read. */
export interface ReadState {
  readonly traits: TranscriptTraits;
  readonly position: Omit<SourcePosition, 'sha256'> & { readonly sha256: string };
  readonly receipt: ReadReceipt;
}

/** What a thread that reads tells. */
export type ReadMessage =
  | ({
      readonly type: 'opened';
      readonly facts: Pick<SourceFacts, 'format' | 'modifiedAt' | 'beside'>;
    } & ReadState)
  | { readonly type: 'progress'; readonly bytes: number; readonly sizeBytes: number }
  | ({ readonly type: 'step'; readonly step: ReadStep } & Partial<ReadState>)
  | { readonly type: 'failed'; readonly code: CtxErrorCode; readonly message: string };

/** What a thread that reads is told: where to begin, then that one more of its steps was taken. */
export type ReadOrder = ({ readonly type: 'begin' } & ReadStart) | { readonly type: 'taken' };

/** What stands in messages of a source. */
export function stateOf(
  { position, receipt }: Pick<ImportSource, 'position' | 'receipt'>,
  traits: TranscriptTraits,
): ReadState {
  const { sha256, ...rest } = position();
  return { traits, position: { ...rest, sha256: sha256() }, receipt: receipt() };
}
