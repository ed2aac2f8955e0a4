import { firstSentences, firstTable } from './first-table.ts';
import type { ReplayRow } from './replay-summary.ts';
import { type MeasureTable, readingAid, wideTable } from './wide-table.ts';

/** What a replay found, as tables for people; cells are texts. */
export interface ReplayTables {
  /** What a newcomer asks. `hasBareNames`: policies are not explained in their cells. */
  readonly first: (hasBareNames: boolean) => MeasureTable;
  /** What the figures of the first table mean, in a few sentences. */
  readonly sentences: readonly string[];
  /** Every measure. */
  readonly wide: MeasureTable;
  /** How to read the wide table: what each title means. */
  readonly readingAid: readonly (readonly [name: string, text: string])[];
}

/** Renders the totals of a replay. */
export function replayTables(totals: readonly ReplayRow[]): ReplayTables {
  return {
    first: (hasBareNames) => firstTable(totals, hasBareNames),
    sentences: firstSentences(totals),
    wide: wideTable(totals),
    readingAid,
  };
}
