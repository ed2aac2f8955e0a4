import type { CollectionDefinition } from '@ctx/core';

/** Views for people. */
export function viewSql(_definition: CollectionDefinition): string[] {
  return [];
}
