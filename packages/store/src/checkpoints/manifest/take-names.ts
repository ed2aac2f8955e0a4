import type { StoredRecord, WriteOperation } from '../../backend/store-backend.ts';
import { retryOnConflict } from '../../records/retry-on-conflict.ts';
import type { StoreHost } from '../../store-host.ts';
import type { CheckpointPlaces } from '../checkpoint-places.ts';

import { mayName } from './mentions-name.ts';
import { partWithout } from './omit-places.ts';
import { sequenceText } from '../../records/sequence-text.ts';

/** Where names are taken out of manifests. */
export type NamePlaces = Pick<CheckpointPlaces, 'checkpoints' | 'parts'> & {
  readonly host: Pick<StoreHost, 'backend'>;
};

/** A part of a manifest, and the items that it shall not name. */
export interface PartNames {
  readonly part: StoredRecord;
  readonly ids: ReadonlySet<string>;
}

/**
 * Takes items out of parts. Their checkpoints get another version: who knows a manifest reads it anew.
 * A write of these conflicts where a part was changed since, or its checkpoint deleted.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function nameRemovals(
  { checkpoints, parts }: NamePlaces,
  names: readonly PartNames[],
): WriteOperation[] {
  const puts: WriteOperation[] = [];
  const owners = new Map<string, WriteOperation>();
  for (const { part, ids } of names) {
    const { key, version: expectVersion } = part;
    const body = partWithout(part.body, ids);
    if (body === undefined) continue;
    puts.push(parts.put({ key, columns: {}, body, expectVersion }));
    const owner = key.slice(0, 2);
    owners.set(JSON.stringify(owner), checkpoints.patch({ key: owner, columns: {} }));
  }
  return [...puts, ...owners.values()];
}

/** Parts of one write: each has some ten thousand characters. */
const partsOfWrite = 20;

/** Which items are not to be named, by whose checkpoints. */
export interface NamesGone {
  readonly agentId: string;
  readonly ids: ReadonlySet<string>;
  /** Number of the first checkpoint that is looked at. */
  readonly from: number;
}

/**
 * Takes items out of all manifests of an agent from one checkpoint on. Cut off, it can be done again.
 * Reads these manifests, and writes the parts that named any.
 */
export async function takeNames(
  places: NamePlaces,
  { agentId, ids, from }: NamesGone,
): Promise<void> {
  const range = { from: sequenceText(from) };
  const query = { index: 'key', equal: [agentId], range } as const;
  await retryOnConflict(async () => {
    let names: PartNames[] = [];
    const flush = async (): Promise<void> => {
      const operations = nameRemovals(places, names);
      names = [];
      if (operations.length > 0)
        await places.host.backend.write(operations, { durability: 'power' });
    };
    for await (const part of places.parts.scan(query)) {
      if (mayName(part.body, ids)) names.push({ part, ids });
      if (names.length === partsOfWrite) await flush();
    }
    await flush();
  });
}
