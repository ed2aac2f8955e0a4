export { documentOfOutput } from './index/document-of-output.ts';
export { type ToolAccess, toolAccess } from './index/file-access.ts';
export type {
  RankedDocument,
  RelevanceDocument,
  RelevanceQuery,
} from './index/relevance-document.ts';
export { createRelevanceIndex, type RelevanceIndex } from './index/relevance-index.ts';
export { scoreCandidates } from './score/score-candidates.ts';
export { selectByKeyword } from './select/keyword.ts';
export type { RelevancePolicy } from './select/relevance-policy.ts';
export { type Reranker, rerank } from './select/reranker.ts';
export {
  defaultSelectionPolicy,
  type PointerSelection,
  type SelectedPointer,
  type SelectionPolicy,
  selectPointers,
} from './select/select-pointers.ts';
export { argsText } from './words/args-text.ts';
export { type MatchingLine, matchingLine } from './words/matching-line.ts';
export { type SearchTerms, searchTerms } from './words/search-terms.ts';
export { searchWords } from './words/split-words.ts';
