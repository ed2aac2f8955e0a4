/** What can be ranked: a tool's output, or any other text. */
export interface RelevanceDocument {
  readonly id: string;
  /** Text of the arguments that made the document. Counts more than its body. */
  readonly args?: string;
  readonly body?: string;
  readonly title?: string;
  /** The file that the document is about. */
  readonly path?: string;
  /** Whether the body is the content of a file, read by a tool. Default false. */
  readonly isFileRead?: boolean;
  /** What was done to the file at `path`. Left out means nothing that counts as activity. */
  readonly access?: FileAccess;
  /** Order among the outputs, from 0. Left out where order means nothing: then recency is 0. */
  readonly sequence?: number;
  /** Number of the user's turn, from 0. Left out where there are no turns. */
  readonly turn?: number;
}

export type FileAccess = 'read' | 'edit';

export interface RelevanceQuery {
  readonly text: string;
  /** Messages before the prompt, oldest first. */
  readonly history?: readonly string[];
  /** Sequence that the next output would have. Default: one more than the highest. */
  readonly sequence?: number;
  /** Turn of the prompt. Default: one more than the highest. */
  readonly turn?: number;
}

/** What each part of the formula added to a score, weights included. */
export interface RelevanceParts {
  readonly text: number;
  readonly args: number;
  readonly title: number;
  readonly named: number;
  readonly activity: number;
  readonly recency: number;
  readonly fileRead: number;
  /** Only after {@link rerank}. */
  readonly reranked?: number;
}

export interface RankedDocument {
  readonly id: string;
  /** Sum of the parts. Comparable within one answer only. */
  readonly score: number;
  readonly parts: RelevanceParts;
}
