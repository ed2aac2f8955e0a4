/// <reference lib="es2024.string" />

import { CtxError } from '@ctx/core';
import type {
  CollectionDefinition,
  ColumnDefinition,
  ColumnValue,
  RecordKey,
} from '../store-backend.ts';

/** Makes the error that all checks throw. The message names fields and never quotes a value. */
export function invalidInput(message: string): CtxError {
  return new CtxError('CTX_INVALID_INPUT', message);
}

/** Whether every store can keep `value` as text: a string, well-formed, without U+0000. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\u0000') && value.isWellFormed();
}

const isOfType: Readonly<Record<ColumnDefinition['type'], (value: unknown) => boolean>> = {
  text: isStorableText,
  integer: (value) => Number.isSafeInteger(value),
  real: (value) => Number.isFinite(value),
};

/** Throws `CTX_INVALID_INPUT` unless `value` is of the type. */
export function checkTyped(type: ColumnDefinition['type'], value: unknown, name: string): void {
  if (!isOfType[type](value)) throw invalidInput(`${name} must be ${type}`);
}

/** Throws `CTX_INVALID_INPUT` unless `key` has the parts that the collection declares, all of them text. */
export function checkKey(definition: CollectionDefinition, key: unknown): void {
  if (!Array.isArray(key) || key.length !== definition.key.length) {
    throw invalidInput(`a key of ${definition.name} has ${definition.key.length} parts`);
  }
  for (const [at, part] of definition.key.entries()) {
    if (!isStorableText(key[at])) throw invalidInput(`${definition.name}.${part} must be text`);
  }
}

/** The type of a key part or column; undefined where the collection has none of that name. */
export function fieldType(
  definition: CollectionDefinition,
  field: string,
): ColumnDefinition['type'] | undefined {
  if (definition.key.includes(field)) return 'text';
  return Object.hasOwn(definition.columns, field) ? definition.columns[field]?.type : undefined;
}

/** Throws `CTX_INVALID_INPUT` unless `value` fits the key part or column; null fits every column and no key part. */
export function checkFieldValue(
  definition: CollectionDefinition,
  field: string,
  value: unknown,
): void {
  if (value === null && !definition.key.includes(field)) return;
  checkTyped(fieldType(definition, field) ?? 'text', value, `${definition.name}.${field}`);
}

/** Throws `CTX_INVALID_INPUT` for columns that are not declared, of another type, or null where that is not allowed. */
export function checkColumns(
  definition: CollectionDefinition,
  columns: Readonly<Record<string, unknown>>,
): void {
  for (const name of Object.keys(columns)) {
    const value = columns[name];
    const column = Object.hasOwn(definition.columns, name) ? definition.columns[name] : undefined;
    if (column === undefined) throw invalidInput(`${definition.name} has no column of that name`);
    if (value === null && column.nullable === true) continue;
    if (isOfType[column.type](value)) continue;
    throw invalidInput(`${definition.name}.${name} must be ${column.type}`);
  }
}

/** Throws `CTX_INVALID_INPUT` where a declared column is missing that may not be null. */
export function checkNoneMissing(
  definition: CollectionDefinition,
  columns: Readonly<Record<string, unknown>>,
): void {
  for (const name of Object.keys(definition.columns)) {
    const column = definition.columns[name];
    if (column === undefined || column.nullable === true || Object.hasOwn(columns, name)) continue;
    checkTyped(column.type, null, `${definition.name}.${name}`);
  }
}

/**
 * All declared columns in their order: those given, else those of `before`, else null. -0 becomes 0.
 * For a put leave `before` out; for a patch give the columns of the record as it is.
 */
export function completeColumns(
  definition: CollectionDefinition,
  columns: Readonly<Record<string, ColumnValue>>,
  before: Readonly<Record<string, ColumnValue>> = {},
): Record<string, ColumnValue> {
  const complete: Record<string, ColumnValue> = {};
  for (const name of Object.keys(definition.columns)) {
    const source = Object.hasOwn(columns, name) ? columns : before;
    const value = Object.hasOwn(source, name) ? (source[name] ?? null) : null;
    complete[name] = value === 0 ? 0 : value;
  }
  return complete;
}

/**
 * The definition by its name.
 * @throws `CTX_INVALID_INPUT` where the store was not opened with it.
 */
export function collectionNamed(
  collections: ReadonlyMap<string, CollectionDefinition>,
  name: string,
): CollectionDefinition {
  const found = collections.get(name);
  if (found === undefined) throw invalidInput('the store has no collection of that name');
  return found;
}

/** Checks a list of keys, as `StoreBackend.get` must. */
export function checkKeys(definition: CollectionDefinition, keys: readonly RecordKey[]): void {
  for (const key of keys) checkKey(definition, key);
}
