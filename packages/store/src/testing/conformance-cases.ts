import { absentCases } from './cases/absent-cases.ts';
import { appendCases } from './cases/append-cases.ts';
import { bodyCases } from './cases/body-cases.ts';
import { concurrencyCases } from './cases/concurrency-cases.ts';
import { copyCases } from './cases/copy-cases.ts';
import { durabilityCases } from './cases/durability-cases.ts';
import { emptyRangeCases } from './cases/empty-range-cases.ts';
import { patchRangeCases } from './cases/patch-range-cases.ts';
import { getCases } from './cases/get-cases.ts';
import { keyCases } from './cases/key-cases.ts';
import { laterWordsCases } from './cases/deferred-words-cases.ts';
import { listCases } from './cases/list-cases.ts';
import { manifestCases } from './cases/manifest-cases.ts';
import { notNullCases } from './cases/not-null-cases.ts';
import { openCases } from './cases/open-cases.ts';
import { scanPartCases } from './cases/scan-part-cases.ts';
import { scanCases } from './cases/scan-cases.ts';
import { searchCases } from './cases/search-cases.ts';
import { sharingCases } from './cases/sharing-cases.ts';
import { tallyCases } from './cases/tally-cases.ts';
import { traceCases } from './cases/trace-cases.ts';
import { markCases } from './cases/mark-cases.ts';
import { watchCases } from './cases/watch-cases.ts';
import { writeCases } from './cases/write-cases.ts';
import type { ConformanceCase } from './conformance-case.ts';

/** The whole contract, case by case, in the order of the table of contents. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...manifestCases,
  ...openCases,
  ...getCases,
  ...writeCases,
  ...emptyRangeCases,
  ...patchRangeCases,
  ...appendCases,
  ...absentCases,
  ...copyCases,
  ...scanCases,
  ...scanPartCases,
  ...listCases,
  ...notNullCases,
  ...tallyCases,
  ...searchCases,
  ...laterWordsCases,
  ...keyCases,
  ...bodyCases,
  ...concurrencyCases,
  ...durabilityCases,
  ...sharingCases,
  ...watchCases,
  ...markCases,
  ...traceCases,
];
