import { readFile } from 'node:fs/promises';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { isCtxError } from '@ctx/core';
import type { Finding } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { z } from 'zod';
import { setAsideNotes } from './quarantine.ts';

const noteSchema = z.object({
  reason: z.string(),
  record: z.object({ collection: z.string(), key: z.array(z.string()) }).exactOptional(),
});

function findingOf(note: unknown): Finding | undefined {
  const { data } = noteSchema.safeParse(note);
  if (data?.record === undefined) return undefined;
  const { collection, key } = data.record;
  return {
    kind: 'broken-record',
    collection,
    key,
    what: `its file was set aside: ${data.reason}`,
    repair: { how: 'quarantined', keep: [], operations: [{ type: 'delete', collection, key }] },
  };
}

/** Returns whether a record still cannot be read. It may have been written again since. */
async function isUnreadable(backend: StoreBackend, { collection, key }: Finding): Promise<boolean> {
  try {
    await backend.get(collection, [key], 'columns');
    return false;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return true;
    throw error;
  }
}

/** Records whose files a file store could not read and set aside by itself: they are in no list any more. */
export async function setAsideRecords(backend: StoreBackend, url: StoreUrl): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of await setAsideNotes(url)) {
    const note: unknown = await readFile(path, 'utf8')
      .then((text): unknown => JSON.parse(text))
      .catch(() => undefined);
    const finding = findingOf(note);
    if (finding !== undefined && (await isUnreadable(backend, finding))) findings.push(finding);
  }
  return findings;
}
