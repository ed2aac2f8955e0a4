export { appendedPart, appendPuts } from './append-records.ts';
export { backendLife } from './check/backend-life.ts';
export { completeColumns, isStorableText } from './check/check-value.ts';
export { checkedCalls } from './checked-calls.ts';
export { compareKeys } from './compare-values.ts';
export { DamagedBody } from './damaged-body.ts';
export { guardBackend } from './guard-backend.ts';
export { holdWrites } from './held/hold-writes.ts';
export { keyText, positionOf } from './index-order.ts';
export { collectScan } from './indexes/map-scan.ts';
export { lookForWrites } from './look-for-writes.ts';
export { createMemoryPlace, memoryBackend } from './memory/memory-backend.ts';
export { mergeDefinition } from './merge-definition.ts';
export { plainOperations } from './plain-operations.ts';
export { idOfSafeName, safeNameOf } from './safe-name.ts';
export type {
  CollectionDefinition,
  ColumnValue,
  OpenOptions,
  PutOperation,
  RecordKey,
  RecordScan,
  ScanQuery,
  SearchHit,
  SearchQuery,
  StoreBackend,
  StoredRecord,
  Tally,
  TallyQuery,
  WriteOperation,
  WriteOptions,
} from './store-backend.ts';
export { takeTurns } from './take-turns.ts';
export { wrapBackend } from './wrap-backend.ts';
