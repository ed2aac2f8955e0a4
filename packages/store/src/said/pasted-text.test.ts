import { describe, expect, test } from 'vitest';
import { speech } from './speech.ts';

/** What a message says itself, and what it pastes, by what the paste is. */
const pastes: readonly (readonly [name: string, own: string, paste: string, after?: string])[] = [
  [
    'a stack of Node',
    'The app crashes at the start.',
    'TypeError: You must always pass a config\n    at load (/app/src/load.ts:12:3)\n    at main (/app/src/main.ts:4:1)',
  ],
  [
    'a stack of Python',
    'Why does this happen?',
    'Traceback (most recent call last):\n  File "/app/x.py", line 3, in run\n    use(value)\nValueError: never use None here, prefer a list',
  ],
  [
    'a stack of Java',
    'Fix the import job.',
    'Exception in thread "main" java.lang.IllegalStateException: Tables must be created first\n\tat com.acme.Job.run(Job.java:41)\n\tat java.base/java.lang.Thread.run(Thread.java:829)\nCaused by: java.sql.SQLException: Only one writer is allowed\n\t... 12 more',
  ],
  [
    'a panic of Go',
    'Look at the worker.',
    'panic: must not be called twice\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:9 +0x1d',
  ],
  [
    'errors of TypeScript',
    'Make the build green.',
    "src/a.ts(4,7): error TS2322: Type 'string' is not assignable, use a number instead of it.\nsrc/b.ts:9:1 - error TS7006: Parameter 'x' should have a type.",
  ],
  [
    'an error of Rust',
    'What is wrong here?',
    'error[E0502]: cannot borrow `x` as mutable, avoid this\n  --> src/main.rs:4:5\n   |\n 4 |     x.push(1);\n   |     ^^^^^^^^^',
  ],
  [
    'a log of npm',
    'npm ci fails on my machine.',
    'npm ERR! code EBADENGINE\nnpm ERR! You should always use node 20\nnpm warn deprecated glob@7: Prefer glob 9',
  ],
  [
    'a session of a shell',
    'Rebase my branch.',
    '$ git status\nOn branch main\nYour branch is ahead of \'origin/main\' by 2 commits.\n  (use "git push" to publish your local commits)\nnothing to commit, working tree clean',
  ],
  [
    'another prompt',
    'The colours are wrong.',
    '➜  web git:(main) ✗ echo $TERM\nxterm-256color\n➜  web git:(main) ✗ npm run dev',
  ],
  [
    'a prompt with a host',
    'The disk is full.',
    'ada@build-01:~$ df -h\nFilesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        40G   40G     0 100% /',
  ],
  [
    'a diff',
    'Is this safe?',
    'diff --git a/src/a.ts b/src/a.ts\nindex 3f1c2aa..9b0e1d4 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n-// never retry\n+// always retry',
  ],
  [
    'a report of jest',
    'These two are flaky.',
    'FAIL src/cart.test.ts\n  ● cart › must keep its total\n\nTests:       1 failed, 8 passed, 9 total\nTime:        2.1 s',
  ],
  [
    'a report of vitest',
    'Get them to pass.',
    '❯ src/a.test.ts (2 tests | 1 failed)\n   × should only retry once 12ms\n\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)',
  ],
  [
    'a report of pytest',
    'Only this one is left.',
    '============ FAILURES ============\n____ test_must_never_retry ____\ntests/test_a.py:12: AssertionError\n============ 1 failed, 3 passed in 0.4s ============',
  ],
  [
    'a report of go test',
    'Please repair it.',
    '=== RUN   TestKeep\n    keep_test.go:14: should keep the order\n--- FAIL: TestKeep (0.00s)\nFAIL\tacme/keep\t0.2s',
  ],
  [
    'a log of CI',
    'The nightly run is red.',
    '##[group]Run npm test\n##[error]You must set NODE_AUTH_TOKEN\nError: Process completed with exit code 1.',
  ],
  [
    'hooks before a commit',
    'I cannot commit.',
    'isort........................Passed\nflake8.......................Failed\n- hook id: flake8\n- exit code: 1\n\nsrc/a.py:7:1: F401 unused import, always remove these',
  ],
  [
    'a build of docker',
    'The image does not build.',
    '#7 [build 3/5] RUN npm ci\n#7 4.812 npm error only node 20 is allowed\n#7 ERROR: process did not complete',
  ],
  [
    'a log of a server',
    'Requests hang since noon.',
    '2026-03-01T12:00:01Z ERROR must retry the request\n2026-03-01T12:00:02Z WARN never got an answer',
  ],
  [
    'levels of a log',
    'The worker stops.',
    'INFO starting worker 4\nWARN queue should be empty\nERROR you must configure a queue\nINFO worker 4 stopped',
  ],
  [
    'a system log',
    'The unit does not come up.',
    'Mar  3 10:02:11 web-1 systemd[1]: acme.service: must not run as root\nMar  3 10:02:11 web-1 systemd[1]: Failed to start acme.',
  ],
  [
    'a log of access',
    'Somebody scans us.',
    '203.0.113.7 - - [03/Mar/2026] "GET /wp-login.php" 404\n203.0.113.7 - - [03/Mar/2026] "GET /always" 404',
  ],
  [
    'JSON',
    'The API returns nothing useful.',
    '{\n  "error": "must use v2",\n  "hint": "never call v1 again",\n  "code": 410\n}',
  ],
  [
    'YAML of a result',
    'All counts are zero.',
    '- total_lines: 0\n  file_counts: {}\n  start_tag: v0.46.0\n- total_lines: 0\n  file_counts: {}\n  start_tag: v0.47.0',
  ],
  [
    'code without fences',
    'What does it do?',
    'export function keep(value) {\n  const only = value;\n  return only;\n}',
  ],
  [
    'what a build says in prose',
    'CI says:',
    'You must always pin the version of node. Prefer the one in .nvmrc.',
    'Please repair the pipeline.',
  ],
  [
    'a part of a README',
    'The README says:',
    '# Setup\n\nAlways run the seed first. Never run it twice.\n\n## Tests\n\nYou should use make.',
    'Can you check that this is true?',
  ],
  [
    'the documentation',
    'I found this in their docs:',
    'Clients must retry only idempotent requests, and should never retry a POST.',
    'Do we do that?',
  ],
  [
    'the plan of another agent',
    'Codex proposed:',
    '1. We will use Redis instead of Postgres.\n2. Never write to the old table.\n3. Always go through the queue.',
    'I do not like it, think of a smaller one.',
  ],
  [
    'what a colleague wrote',
    'Grace wrote:',
    "Let's go with GraphQL, we should never have used REST.",
    'What would it cost?',
  ],
  [
    'a warning of a linter',
    'eslint reports:',
    'Prefer const, avoid let, and never use var in this file.',
  ],
  [
    'an e-mail below the words',
    'Draft an answer to this.',
    '-----Original Message-----\nFrom: Grace Hopper\nSent: Monday\nSubject: Release\n\nYou must always ship on Friday.\n\nWe decided to drop IE.',
  ],
  [
    'an e-mail with its head',
    'What does she want?',
    'From: Grace Hopper <grace@example.com>\nTo: Ada\nSubject: Rules\n\nNever deploy without me.',
  ],
  [
    'an answer with its quote',
    'Summarise it.',
    'On Mon, 3 Mar 2026 at 10:02, Grace Hopper <grace@example.com> wrote:\n> You must always ask.\n> Never merge alone.',
  ],
  [
    'a message of a chat',
    'See what Linus wants.',
    'Linus T  10:42 AM\nWe must never break userspace, always keep the old flag.',
  ],
  [
    'what Aider prints',
    'That broke everything.',
    'Tokens: 5,110 sent, 1,144 received. Cost: $0.03 message, $0.05 session.\nApplied edit to scripts/blame.py\nCommit 5012fd4 feat: only keep files at each tag\nYou can use /undo to undo and discard each aider commit.',
  ],
  [
    'what Aider asks of the model when its edits fail',
    'Use the old name.',
    "Committing aider/io.py before applying edits.\n# 1 SEARCH/REPLACE block failed to match!\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in aider/io.py\nDid you mean to match some of these actual lines from aider/io.py?\nThe SEARCH section must exactly match an existing block of lines\n# The other 3 SEARCH/REPLACE blocks were applied successfully.\nDon't re-send them.\nJust reply with fixed versions of the block above that failed to match.",
  ],
  [
    'the code that Aider quotes to the model when its edits fail',
    'Use the old name.',
    '# 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in aider/io.py\n<<<<<<< SEARCH\nclass AutoCompleter(Completer):\n    names = defaultdict(list)\n\n    voice = None\n=======\n    try:\n        names = dict()\n>>>>>>> REPLACE\n\nThe SEARCH section must exactly match an existing block of lines including all white space\n\nvoice = None',
  ],
  [
    'what Aider asks of the model when its linter fails',
    'Use the old name.',
    '# Fix any errors below, if possible.\n\n## Running: lint.sh aider/models.py\n\nisort....Passed\n\n## See relevant line below marked with █.\n\naider/models.py:\n⋮\n18│\n19█DEFAULT = 1\n⋮\nAttempt to fix lint errors? y',
  ],
];

describe('what a person pasted is not what they said', () => {
  test.each(pastes)('%s', (_, own, paste, after) => {
    const said = after === undefined ? own : `${own}\n\n${after}`;
    const message = [own, paste, ...(after === undefined ? [] : [after])].join('\n\n');
    expect(speech.typedText(message)).toBe(said);
  });

  test.each(pastes.filter(([, , , after]) => after === undefined))(
    '%s, before what was said',
    (_, own = '', paste = '') => {
      if (paste.startsWith('-----') || paste.startsWith('From: ')) return; // All after it is the other's.
      const typed = speech.typedText(`${paste}\n\n${own}`);
      expect(typed.split('\n').at(-1)).toBe(own);
    },
  );
});

describe('what a person says stays, whatever it looks like', () => {
  test.each([
    'Language: TypeScript\nDatabase: Postgres\nPort: 3000\nNever use MySQL.',
    'Rules:\n- always use tabs\n- never touch vendor/\n- run `npm test` before each commit',
    'The error message should say:\n\nYou must sign in first.',
    'Requirements:\n\n1. Keep the API.\n2. Only use the standard library.\n\nDo not add dependencies.',
    'Implement this plan from Codex:\n\n1. Add a queue.\n2. Never write twice.',
    'Write a README that says:\n\nAlways run the seed first.',
    'In src/a.ts you must never use any. See src/b.ts:12 for how.',
    'I get an error in src/a.ts:4. Fix it, and never change the tests.',
    'WARNING: do not touch the production database.',
    'error handling: always wrap, never swallow',
    'Use the following settings:\n\nmax_retries: 3\ntimeout_ms: 500',
    'First, read the log.\n\nThen:\n\n- never retry\n- always stop',
    'Please note: the deploy on Friday must wait.\nTo: whoever reviews, keep it small.',
    'It fails. You should look at the cache first; never clear it; always keep a copy;',
    'What I want:\n\nonly one retry, at most 3 s, without new dependencies',
    'ok - do it\n\nalways ask me before you push',
  ])('%j', (message) => {
    expect(speech.typedText(message)).toBe(message);
  });

  test('between two pastes', () => {
    const message =
      '$ npm test\nFAIL src/a.test.ts\n\nNever change the tests, repair the code.\n\n$ npm run lint\nsrc/a.ts:3:1: error unused';
    expect(speech.typedText(message)).toBe('Never change the tests, repair the code.');
  });

  test('right below an error', () => {
    const message = 'TypeError: x is not a function\nYou should only change src/a.ts.';
    expect(speech.typedText(message)).toBe('You should only change src/a.ts.');
  });

  test('after code between fences that a line announced', () => {
    const message = 'I get this error:\n\n```\nmust retry\n```\n\nOnly change the client.';
    expect(speech.typedText(message)).toBe('I get this error:\n\nOnly change the client.');
  });
});

test.each(pastes)(
  '%s is left out with the line ends of Windows, too',
  (_name, own, paste, after) => {
    const message = [own, paste, ...(after === undefined ? [] : [after])].join('\n\n');
    const typed = speech.typedText(message.replaceAll('\n', '\r\n'));
    expect(typed.replaceAll('\r\n', '\n')).toBe(speech.typedText(message));
  },
);

test('code between fences leaves one blank line, whatever the line ends', () => {
  const message = 'Fix it:\r\n\r\n```ts\r\nlet a;\r\n```\r\n\r\nand test it.';
  expect(speech.typedText(message)).toBe('Fix it:\n\nand test it.');
});
