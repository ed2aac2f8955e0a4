export { appendedPart, appendPuts } from './append-records.ts';
export { checkCollections } from './check/check-definition.ts';
export {
  checkLists,
  checkScan,
  checkSearch,
  checkTally,
  searchableWords,
} from './check/check-query.ts';
export {
  checkKeys,
  collectionNamed,
  completeColumns,
  isStorableText,
} from './check/check-value.ts';
export { checkWrite } from './check/check-write.ts';
export { compareKeys, compareText, compareValueLists, compareValues } from './compare-values.ts';
export { DamagedBody } from './damaged-body.ts';
export { guardBackend } from './guard-backend.ts';
export { holdWrites } from './held/hold-writes.ts';
export {
  type FieldRange,
  fieldsOfIndex,
  keyText,
  positionOf,
  type ScanPosition,
} from './index-order.ts';
export { collectScan } from './indexes/map-scan.ts';
export { lookForWrites } from './look-for-writes.ts';
export { createMemoryPlace, type MemoryPlace, memoryBackend } from './memory/memory-backend.ts';
export { isSameIndex, mergeDefinition } from './merge-definition.ts';
export { plainOperations } from './plain-operations.ts';
export type { ListQuery } from './record-lists.ts';
export { idOfSafeName, safeNameOf } from './safe-name.ts';
export type {
  AppendBatch,
  CollectionDefinition,
  ColumnDefinition,
  ColumnValue,
  DeleteOperation,
  IndexDefinition,
  CollectionRange,
  OpenOptions,
  PatchOperation,
  PatchRange,
  PutOperation,
  RecordKey,
  RecordLists,
  RecordPart,
  RecordScan,
  ScanQuery,
  SearchHit,
  SearchQuery,
  StoreBackend,
  StoredRecord,
  StoreSupport,
  Tally,
  TallyQuery,
  WriteOperation,
  WriteOptions,
  WriteWatch,
} from './store-backend.ts';
export { type TurnTaker, takeTurns } from './take-turns.ts';
export { wrapBackend } from './wrap-backend.ts';
