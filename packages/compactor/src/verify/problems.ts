/** Why a summary is not taken. */
export type SummaryProblemKind =
  | 'unfinished'
  | 'empty'
  | 'tool-call'
  | 'echo'
  | 'sections'
  | 'too-large'
  | 'tool-instruction';

/** One thing that is wrong with a summary. */
export interface SummaryProblem {
  readonly kind: SummaryProblemKind;
  /** What was seen, for a receipt: sizes and titles, never content. */
  readonly detail: string;
}
