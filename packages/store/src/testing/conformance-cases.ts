import { getCases } from './cases/reads/get-cases.ts';
import { listCases } from './cases/reads/list-cases.ts';
import { notNullCases } from './cases/reads/not-null-cases.ts';
import { scanCases } from './cases/reads/scan-cases.ts';
import { scanPartCases } from './cases/reads/scan-part-cases.ts';
import { searchCases } from './cases/reads/search-cases.ts';
import { tallyCases } from './cases/reads/tally-cases.ts';
import { absentCases } from './cases/stores/absent-cases.ts';
import { manifestCases } from './cases/stores/manifest-cases.ts';
import { markCases } from './cases/stores/mark-cases.ts';
import { openCases } from './cases/stores/open-cases.ts';
import { sharingCases } from './cases/stores/sharing-cases.ts';
import { traceCases } from './cases/stores/trace-cases.ts';
import { watchCases } from './cases/stores/watch-cases.ts';
import { appendCases } from './cases/writes/append-cases.ts';
import { bodyCases } from './cases/writes/body-cases.ts';
import { concurrencyCases } from './cases/writes/concurrency-cases.ts';
import { copyCases } from './cases/writes/copy-cases.ts';
import { durabilityCases } from './cases/writes/durability-cases.ts';
import { emptyRangeCases } from './cases/writes/empty-range-cases.ts';
import { keyCases } from './cases/writes/key-cases.ts';
import { patchRangeCases } from './cases/writes/patch-range-cases.ts';
import { writeCases } from './cases/writes/write-cases.ts';
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
  ...keyCases,
  ...bodyCases,
  ...concurrencyCases,
  ...durabilityCases,
  ...sharingCases,
  ...watchCases,
  ...markCases,
  ...traceCases,
];
