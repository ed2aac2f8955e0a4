export { appendedPart, appendPuts } from './append-records.ts';
export { checkCollections } from './check/check-definition.ts';
export { checkOffered } from './check/check-offered.ts';
export {
  checkLists,
  checkScan,
  checkSearch,
  checkTally,
  searchableWords,
} from './check/check-query.ts';
export { checkWrite } from './check/check-write.ts';
export {
  checkKey,
  checkKeys,
  collectionNamed,
  completeColumns,
  isStorableText,
} from './check/check-value.ts';
export { compareKeys, compareText, compareValueLists, compareValues } from './compare-values.ts';
export { guardBackend } from './guard-backend.ts';
export { fieldsOfIndex, fieldValue, keyText, positionOf } from './index-order.ts';
export { lookForWrites, type WriteLook } from './look-for-writes.ts';
export { collectScan } from './map-scan.ts';
export {
  createMemoryPlace,
  memoryBackend,
  type MemoryBackendOptions,
  type MemoryPlace,
} from './memory/memory-backend.ts';
export { isSameIndex, mergeDefinition } from './merge-definition.ts';
export { plainOperations } from './plain-operations.ts';
export { listsOf } from './record-lists.ts';
export type {
  AppendBatch,
  CheckOperation,
  CollectionDefinition,
  ColumnDefinition,
  ColumnType,
  ColumnValue,
  DeleteOperation,
  EmptyRange,
  FieldRange,
  IndexDefinition,
  ListQuery,
  OpenOptions,
  PatchOperation,
  PatchRange,
  PutOperation,
  RecordKey,
  RecordLists,
  RecordPart,
  RecordScan,
  ScanPosition,
  ScanQuery,
  SearchFieldDefinition,
  SearchHit,
  SearchQuery,
  StoreBackend,
  StoredRecord,
  StoreSupport,
  Tally,
  TallyQuery,
  WordsOfRecord,
  WriteOperation,
  WriteOptions,
  WriteWatch,
} from './store-backend.ts';
export { wrapBackend } from './wrap-backend.ts';
export { takeTurns, type TurnTaker } from './take-turns.ts';
