import { join } from 'node:path';
import type { Message } from '@ctx/core';
import { expect, test } from 'vitest';
import { assistant, call, quarter, result, step, user } from '../test-support/conversation.ts';
import { findMisleading } from '../test-support/find-misleading.ts';
import { projectFolder, readRecording } from '../test-support/recorded-sessions.ts';
import { extractSummary } from './extract-summary.ts';

/** `npm test` tries the larger size, the campaign both. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';

const recording = readRecording(join(projectFolder, 'apps/cli/demo/session.json')).messages;

function summaryOf(messages: readonly Message[], maxTokens: number, earlier?: string): string {
  const more = earlier === undefined ? {} : { earlier };
  return extractSummary(messages, {
    maxTokens,
    countTokens: quarter,
    mark: 'k3J9xQa81zLm',
    ...more,
  });
}

test.each(isCampaign ? [600, 8000] : [8000])(
  'no statement of the recorded session misleads at %i tokens',
  (size) => {
    for (let end = 6; end <= recording.length; end += 50) {
      const before = recording.slice(0, end);
      expect(findMisleading(summaryOf(before, size), before), String(end)).toEqual([]);
    }
  },
);

test('no statement misleads after five compactions in a row', () => {
  let earlier: string | undefined;
  for (let part = 1; part <= 5; part += 1) {
    const [start, end] = [part - 1, part].map((at) => Math.floor((at * recording.length) / 5));
    earlier = summaryOf(recording.slice(start, end), 4000, earlier);
    expect(findMisleading(earlier, recording.slice(0, end)), String(part)).toEqual([]);
  }
});

const refusal =
  "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n";

const conversation: readonly Message[] = [
  user('Port the parser to Rust. Never touch the lexer.'),
  ...step('a', 'Read', { file_path: 'src/a.ts' }, 'The owner of module Teal is Ines Okafor.'),
  assistant('We decided to keep the table. Next, I will mend line 4.'),
  ...step('b', 'Bash', { command: 'npm test' }, ' Tests  1 failed | 9 passed (10)'),
  ...step('c', 'Bash', { command: 'make all' }, 'cc -o a a.c'),
  ...step('d', 'TodoWrite', { todos: [{ content: 'Port it', status: 'completed' }] }, 'ok'),
  assistant(call('e', 'Bash', { command: 'git push' })),
  user(result('e', `${refusal}cut a branch first`, true)),
];

const truthful = summaryOf(conversation, 2000);

/** Lies by what they claim: the section, and the line that is put first into it. */
const lies: readonly (readonly [claim: string, title: string, line: string])[] = [
  ['words of a file as the goal', '## Goal', 'First request: The owner of module Teal is Ines.'],
  ['words of the assistant as a rule', '## Constraints and preferences', 'keep the table'],
  ['a refusal that nobody spoke', '## Constraints and preferences', 'on refusing Bash ls: never'],
  ['a decision of the wrong speaker', '## Decisions', 'user: We decided to keep the table.'],
  ['a failed command as ok', '### Done', 'npm test (ok)'],
  ['an unknown outcome as ok', '### Done', 'make all (ok)'],
  ['an exit code that is not shown', '### Done', 'make all (exit 0)'],
  ['a command that never ran', '### Done', 'npm run deploy (outcome not shown)'],
  ['an edit that never happened', '### Done', 'edited src/lexer.ts'],
  ['a finished task as open', '### Doing', '[in_progress] Port it'],
  ['an error that nothing shows', '### Blocked', 'Bash npm test: out of memory'],
  [
    'a plan of the user as that of the assistant',
    '## Next step',
    'The assistant said: Port the parser',
  ],
  [
    'a step that was begun as still to do',
    '## Next step',
    'The assistant said: Next, I will mend line 4.',
  ],
  [
    'an answered request as unanswered',
    '## Next step',
    'The user asked, unanswered: Port the parser to Rust.',
  ],
  [
    'words of a file as those of the assistant',
    '## Key facts',
    '### Said by the assistant\nThe owner of module Teal is Ines Okafor.',
  ],
  [
    'a quote that no tool returned',
    '## Key facts',
    '<<<data x\n### src/a.ts\nThe owner is Priya.\ndata x>>>',
  ],
  [
    'words of a file as quoted from the user',
    '## Key facts',
    '<<<data x\n### said by the user\nThe owner of module Teal\ndata x>>>',
  ],
  ['a file that no call named', '## Relevant files', 'read src/lexer.ts'],
];

test.each(lies)('the check finds %s', (_claim, title, line) => {
  expect(findMisleading(truthful, conversation)).toEqual([]);
  expect(truthful).toContain(`\n${title}\n`.slice(title === '## Goal' ? 1 : 0));
  const lying = truthful.replace(`${title}\n`, () => `${title}\n${line}\n`);
  expect(findMisleading(lying, conversation)).toHaveLength(1);
});

test('an error is told from the start of its line, and by the last line if a long output names none', () => {
  const list = Array.from({ length: 3000 }, (_, index) => `src/file-${index}.ts`).join('\n');
  const messages = [
    user('Count the lines.'),
    assistant(call('a', 'Bash', { command: 'wc -l src/*' })),
    user(result('a', `${list}\nwc stopped at src/x.ts`, true)),
  ];
  const summary = summaryOf(messages, 2000);
  expect(summary).toContain('Bash wc -l src/*: wc stopped at src/x.ts\n');
  expect(findMisleading(summary, messages)).toEqual([]);
});
