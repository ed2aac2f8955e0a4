import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const read = (file_path) => ({ name: 'Read', input: { file_path } });
const grep = (pattern, path = 'packages') => ({ name: 'Grep', input: { pattern, path } });
const bash = (command) => ({ name: 'Bash', input: { command } });
const edit = (file_path, old_string, new_string) => ({
  name: 'Edit',
  input: { file_path, old_string, new_string },
});

const test = (path) => bash(`npx vitest run ${path} --reporter=verbose`);

/** The sources of a folder, without tests, two at a time: how an agent reads its way in. */
function readFolder(root, folder, why) {
  const files = readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => `${folder}/${name}`);
  const steps = [];
  for (let first = 0; first < files.length; first += 2) {
    const pair = files.slice(first, first + 2);
    steps.push({ say: `${why}: ${pair.join(' and ')}.`, calls: pair.map(read) });
  }
  return steps;
}

const cost = 'packages/truncation/src/cost';

/** How the cost model works, before anything is changed. */
const lookAtCosts = [
  {
    say: 'I start with where the largest request is computed and shown.',
    calls: [grep('peakTokens', '.'), bash('git ls-files | xargs wc -l')],
  },
  {
    say: 'What else do the packages export, so that I keep to their names?',
    calls: [grep('^export ')],
  },
  {
    say: 'The cost model first.',
    calls: [read(`${cost}/cost-model.ts`), read(`${cost}/prefix-trie.ts`)],
  },
  {
    say: 'Its tests and prices.',
    calls: [read(`${cost}/cost-model.test.ts`), read(`${cost}/prices.ts`)],
  },
  {
    say: 'Before I change anything: do the tests pass?',
    calls: [test('packages/truncation')],
  },
];

/** The mean size of a request, with its test, which finds the empty case. */
const addMean = [
  {
    say: 'I add the mean to the total.',
    calls: [
      edit(
        `${cost}/cost-model.ts`,
        '  readonly peakTokens: number;\n',
        '  readonly peakTokens: number;\n  /** Mean size of a request, tokens; 0 where nothing was sent. */\n  readonly meanTokens: number;\n',
      ),
      edit(
        `${cost}/cost-model.ts`,
        '      hitRate: sums.inputTokens === 0 ? 0 : sums.hitTokens / sums.inputTokens,\n',
        '      hitRate: sums.inputTokens === 0 ? 0 : sums.hitTokens / sums.inputTokens,\n      meanTokens: sums.inputTokens / sums.requests,\n',
      ),
    ],
  },
  {
    say: 'And to its test, with the empty case.',
    calls: [
      edit(
        `${cost}/cost-model.test.ts`,
        '    expect(createCostModel(price).total().hitRate).toBe(0);\n',
        '    expect(createCostModel(price).total().hitRate).toBe(0);\n    expect(total.meanTokens).toBe(250);\n    expect(createCostModel(price).total().meanTokens).toBe(0);\n',
      ),
      test('packages/truncation'),
    ],
  },
];

/** The empty case, the types and the README. */
const mendMean = [
  {
    say: 'The empty case divides by zero, as the test says. I look at the end of the file again and mend it.',
    calls: [read(`${cost}/cost-model.ts`)],
  },
  {
    say: 'Guard it like the hit rate.',
    calls: [
      edit(
        `${cost}/cost-model.ts`,
        '      meanTokens: sums.inputTokens / sums.requests,\n',
        '      meanTokens: sums.requests === 0 ? 0 : sums.inputTokens / sums.requests,\n',
      ),
      test('packages/truncation'),
    ],
  },
  {
    say: 'The types: `Sums` leaves out what is derived.',
    calls: [bash('npx tsc -b packages/truncation')],
  },
  {
    say: '`meanTokens` is derived, so `Sums` must leave it out.',
    calls: [
      edit(
        `${cost}/cost-model.ts`,
        "type Sums = Omit<CostTotal, 'dollars' | 'hitRate'>;",
        "type Sums = Omit<CostTotal, 'dollars' | 'hitRate' | 'meanTokens'>;",
      ),
      bash('npx tsc -b packages/truncation && echo types are fine'),
    ],
  },
  { say: 'The README names the figures.', calls: [read('packages/truncation/README.md')] },
  {
    say: 'One line there.',
    calls: [
      edit(
        'packages/truncation/README.md',
        '- `hitTokens`, `hitRate`: what the cache answers.',
        '- `meanTokens`, `peakTokens`: the usual and the largest request. `hitTokens`, `hitRate`: what the cache answers.',
      ),
      bash('git diff --stat'),
    ],
  },
];

/** The way of an output, read from the top to both stores. */
function followOutput(root) {
  return [
    {
      say: 'From the top.',
      calls: [read('packages/agent-adapter/src/record-tool-output.ts'), grep('saveDrafts')],
    },
    ...readFolder(root, 'packages/core/src/outputs', 'The service'),
    ...readFolder(root, 'packages/core/src/store', 'Stores and their contract'),
    {
      say: 'The contract has a kit; what does it ask?',
      calls: [grep("name: '", 'packages/core/src/testing/cases')],
    },
    ...readFolder(root, 'packages/store-fs/src', 'The file store'),
    {
      say: 'Do the outputs keep what they promise?',
      calls: [test('packages/core/src/outputs packages/core/src/store packages/core/src/messages')],
    },
    ...readFolder(root, 'packages/store-sqlite/src', 'The SQLite store'),
    {
      say: 'Once more the two places that matter: the write of a batch and the hand-over of a shared result.',
      calls: [
        read('packages/core/src/outputs/save-outputs.ts'),
        read('packages/core/src/outputs/delete-outputs.ts'),
      ],
    },
  ];
}

/** The note, the tests and the whole change. */
const noteInReadme = [
  { say: 'The README as it is.', calls: [read('packages/core/README.md')] },
  {
    say: 'The note goes behind the paragraph about results.',
    calls: [
      edit(
        'packages/core/README.md',
        'Equal results of a session are stored once.\n',
        'Equal results of a session are stored once, and deleting one\nof them hands the content to the next in the same transaction.\n',
      ),
    ],
  },
  {
    say: 'All tests of what I touched.',
    calls: [test('packages/truncation packages/agent-adapter packages/core/src/content')],
  },
  { say: 'And the whole change once more.', calls: [bash('git diff')] },
];

/**
 * What the recorded agent does: three chores over this repository, told by the user one after the other. A turn is what the
 * user says and the steps that follow; every step is one answer of the agent with its tool calls.
 */
export function chore(root) {
  return [
    {
      user: 'The table of `ctx replay` shows the largest request but not the usual one. Add the mean size of a request to the cost model, with tests and docs. Look at how the figures are used before you change anything.',
      steps: [
        ...lookAtCosts,
        ...readFolder(root, 'packages/agent-adapter/src/replay', 'Now who uses the totals'),
        ...addMean,
        ...mendMean,
      ],
      done: 'The cost model now tells the mean size of a request; tests, types and README follow.',
    },
    {
      user: 'Good. Now explain to me how a tool output travels from recordToolOutput into a store file, and whether a result can ever be lost on the way. Read all of it, the stores too.',
      steps: followOutput(root),
      done: 'An output is redacted, encoded, measured once and written in one transaction; a shared result is patched in the same write, so that deleting it meanwhile is a conflict. I found no way to lose one.',
    },
    {
      user: 'Then add a short note about that to the README of core, under "A store", and run the tests of the packages you touched.',
      steps: noteInReadme,
      done: 'Done: the note stands in the README, and the tests of both packages pass.',
    },
  ];
}
