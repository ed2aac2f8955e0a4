/** A part of the source whose tests are judged by changing it. */
export interface Room {
  readonly name: string;
  /** Below `packages/`. */
  readonly folder: string;
  /** What is changed, below the folder. Tests never are. */
  readonly mutate: readonly string[];
  /** The tests that ought to notice, below the folder. */
  readonly tests: readonly string[];
}

/** Where a wrong answer costs most: what is hot, what leaves and when, what is written, what is believed of a summary, what goes out. */
export const rooms: readonly Room[] = [
  {
    name: 'scoring',
    folder: 'core/src/scoring',
    mutate: ['*.ts'],
    tests: ['*.test.ts'],
  },
  {
    name: 'verify',
    folder: 'compactor/src',
    mutate: ['verify/*.ts'],
    tests: ['verify/*.test.ts'],
  },
  {
    name: 'cost',
    folder: 'truncation/src/cost',
    mutate: [
      'break-even.ts',
      'cache-minimums.ts',
      'cost-model.ts',
      'flush-trace.ts',
      'measure-segments.ts',
      'prefix-trie.ts',
    ],
    tests: ['*.test.ts'],
  },
  {
    name: 'map',
    folder: 'proxy/src',
    mutate: ['conversations/*.ts'],
    tests: ['conversations/*.test.ts'],
  },
  {
    name: 'plan',
    folder: 'truncation/src/window',
    mutate: [
      'leave/plan-*.ts',
      'leave/paying-suffix.ts',
      'leave/leave-queue.ts',
      'leave/stay-rules.ts',
      'leave/cold-pairs.ts',
    ],
    tests: ['leave/*.test.ts'],
  },
  {
    name: 'write',
    folder: 'store/src',
    mutate: [
      'outputs/delete-outputs.ts',
      'outputs/last-sequences.ts',
      'outputs/plan-save.ts',
      'outputs/save-outputs.ts',
    ],
    tests: ['outputs/*.test.ts'],
  },
];
