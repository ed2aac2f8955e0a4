import { bytesText, countedText, countText } from '@ctx/core/encoding';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError, systemClock } from '@ctx/core';
import { storeCollections, wordsOfRecord } from '@ctx/store';
import type { DoctorRepair } from '../schemas/store.ts';
import { storeExists } from '../store/open-store-url.ts';

/**
 * Rescues a damaged database: see `repairSqliteFile`.
 *
 * @throws `CTX_USAGE` for a store that is no database file: its damaged records are taken out by `ctx verify --repair`.
 */
export async function repairStore(url: StoreUrl): Promise<DoctorRepair> {
  if (url.scheme !== 'sqlite') {
    const what = `--repair rescues a database file, and ${url.text} is none`;
    throw new CtxError('CTX_USAGE', `${what}; use ctx verify --repair`);
  }
  if (!(await storeExists(url))) {
    throw new CtxError('CTX_NOT_FOUND', `there is no store at ${url.text}`);
  }
  const { repairSqliteFile } = await import('@ctx/store-sqlite');
  const { path } = url;
  const now = systemClock();
  const done = await repairSqliteFile({
    path,
    collections: storeCollections,
    wordsOf: wordsOfRecord,
    now,
  });
  const collections = done.collections.filter(({ recovered, lost }) => recovered + lost > 0);
  return {
    ...done,
    damage: [...done.damage],
    collections: collections.map((one) => ({
      ...one,
      lostKeys: one.lostKeys.map((key) => [...key]),
    })),
  };
}

/** What a repair did, in lines. */
export function repairLines({ how, kept, collections, missingBytes }: DoctorRepair): string[] {
  if (how === 'none') return ['No page, index or count of the file is damaged.'];
  const place = kept === undefined ? [] : [`The damaged file is kept in ${kept}.`];
  if (how === 'mended') return ['Indexes and counts were rebuilt in place.', ...place];
  const lines = collections.map(({ name, recovered, lost, unsealed, lostKeys }) => {
    const [key] = lostKeys;
    const gone = lost === 0 ? '' : `, ${countText(lost)} lost`;
    const example = key === undefined ? '' : ` (such as ${key.slice(1).join(' / ')})`;
    const plain = unsealed === 0 ? '' : `, ${countText(unsealed)} of an older ctx unchecked`;
    return `${name}: ${countedText(recovered, 'record')} came back${gone}${example}${plain}`;
  });
  const cut =
    missingBytes === 0
      ? []
      : [
          `The file had lost ${bytesText(missingBytes)} at its end; what was only there is in no list.`,
        ];
  return [...lines, ...cut, ...place, 'Run ctx verify: it names what points to lost records.'];
}
