import { keyText, type RecordKey } from '@ctx/store/backend';

/** Where a record is. */
export interface RecordPlace {
  readonly collection: string;
  readonly key: RecordKey;
}

/** Names a record in a set of names. */
export function placeName({ collection, key }: RecordPlace): string {
  return `${collection}\u0000${keyText(key)}`;
}
