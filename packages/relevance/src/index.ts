export {
  type DescribedOutput,
  documentOfOutput,
  type OutputDocumentOptions,
} from './index/document-of-output.ts';
export { type ToolAccess, toolAccess } from './index/file-access.ts';
export type {
  FileAccess,
  RankedDocument,
  RelevanceDocument,
  RelevanceParts,
  RelevanceQuery,
} from './index/relevance-document.ts';
export {
  createRelevanceIndex,
  type RelevanceIndex,
  type RelevanceIndexOptions,
} from './index/relevance-index.ts';
export { type CandidateOptions, scoreCandidates } from './score/score-candidates.ts';
export type { ScoreOptions } from './score/score-contents.ts';
export { type KeywordPointer, selectByKeyword } from './select/keyword.ts';
export {
  defaultRelevancePolicy,
  type RelevancePolicy,
  relevancePolicy,
} from './select/relevance-policy.ts';
export {
  rerank,
  type Reranker,
  type RerankOptions,
  type RerankRequest,
} from './select/reranker.ts';
export {
  defaultSelectionPolicy,
  type PointerSelection,
  type SelectablePointer,
  type SelectedPointer,
  type SelectionPolicy,
  selectPointers,
} from './select/select-pointers.ts';
export { type QueriedOutput, turnNumbers } from './select/turn-numbers.ts';
export { argsText } from './words/args-text.ts';
export {
  type MatchingLine,
  matchingLine,
  type MatchingLineOptions,
} from './words/matching-line.ts';
export { searchWords, type SearchWordsOptions, splitWords } from './words/split-words.ts';
