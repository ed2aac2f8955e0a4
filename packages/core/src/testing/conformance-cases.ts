import { getCases } from './cases/get-cases.ts';
import { manifestCases } from './cases/manifest-cases.ts';
import { openCases } from './cases/open-cases.ts';
import { scanCases } from './cases/scan-cases.ts';
import { writeCases } from './cases/write-cases.ts';
import type { ConformanceCase } from './conformance-case.ts';

/** The whole contract, case by case, in the order of the table of contents. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...manifestCases,
  ...openCases,
  ...getCases,
  ...writeCases,
  ...scanCases,
];
