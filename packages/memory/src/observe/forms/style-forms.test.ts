import { expect, test } from 'vitest';
import { rules } from '../rules.ts';

async function read(text: string) {
  const { signal } = new AbortController();
  return rules().observe([{ sequence: 0, speaker: 'user', text }], { signal });
}

test.each([
  ...[
    'Errors must be typed.',
    'Use early returns.',
    'Tests belong beside the source.',
    'Commits should be small.',
  ],
  ...[
    'Keep functions short.',
    'Names in camelCase please.',
    'One component per file.',
    "Comments only where the code can't say it.",
  ],
  ...[
    'Functions should be pure.',
    'Error messages in English, please.',
    'Early returns please',
    'Tests should be deterministic.',
  ],
  ...[
    "Tests mustn't depend on each other.",
    'Type everything.',
    'File names are kebab-case.',
    'Name files in kebab-case.',
  ],
  ...[
    'Put tests next to the code.',
    'One assertion per test.',
    'Use arrow functions everywhere.',
    'Composition over inheritance.',
  ],
  ...[
    'Keep classes small.',
    'Only add comments where they help.',
    'Write commit messages in English.',
    'Functions must be documented.',
  ],
  ...[
    'Exceptions should be specific and named.',
    'Use guard clauses.',
    'Use type hints.',
    'Use descriptive variable names.',
  ],
  ...[
    'Use conventional commits.',
    'Prefer interfaces over type aliases.',
    'Prefer const over let.',
    'Unit tests go next to the code they test.',
  ],
  ...[
    'Specs live beside their modules.',
    'Commits must be atomic.',
    'PRs should be small.',
    'Keep methods short.',
  ],
  ...[
    'Keep components small and focused.',
    'Keep your commits atomic.',
    'Variables in snake_case, please.',
    'Test names in English.',
  ],
  ...[
    'Constants in UPPER_CASE.',
    'Branch names in kebab-case please.',
    'One class per file.',
    'Just one assertion per test please.',
  ],
  ...[
    'One concern per commit.',
    'Max one export per file.',
    'Comments only when they explain why.',
    "Mocks only where there's no other way.",
  ],
  ...[
    'Abstractions only where they pay off.',
    'Tests should be independent.',
    'Types should be explicit.',
    'Tests must not depend on order.',
  ],
  ...['Modules should be self-contained.', 'Return early.', 'Fail fast.', 'Use named exports.'],
  ...[
    'Trailing commas everywhere.',
    'Semicolons please.',
    'Template strings over concatenation.',
    'Write tests next to the source.',
  ],
  ...[
    'Error messages should be descriptive.',
    'Public methods need docstrings.',
    'Imports should be sorted alphabetically.',
    'Small commits please.',
  ],
  ...[
    'Docstrings in Google style.',
    'No abbreviations in names.',
    "Functions shouldn't be longer than 30 lines.",
    'Handle errors explicitly.',
  ],
  ...['Each module gets its own test file.', 'Never abbreviate names.', 'Use British spelling.'],
  ...[
    'Errors must be explicit.',
    'Classes should be small.',
    'Names should be descriptive.',
    'Interfaces should be minimal.',
  ],
  ...[
    'Use early returns everywhere.',
    'Use absolute imports please.',
    'Use functional components.',
    'Specs belong next to the code.',
  ],
  ...[
    'Fixtures live with their tests.',
    'Stories sit beside the component.',
    'Branch names in kebab-case.',
    'Functions in snake_case please.',
  ],
  ...[
    'Commit messages in the imperative.',
    'Docstrings in English.',
    'One function per file.',
    'One test per file.',
  ],
  ...[
    'Only one concern per PR.',
    'One hook per file please.',
    'Comments only where needed.',
    'Comments only where they add something.',
  ],
  ...[
    'Mocks only if there is no other way.',
    "Casts only where the compiler can't know.",
    'Keep modules small.',
    'Keep tests simple.',
  ],
  ...[
    'Keep names short.',
    'Keep lines short.',
    'Keep methods short and simple.',
    'Commit titles should be short.',
  ],
  ...[
    'Pull requests should be small and focused.',
    'Migrations must be reversible.',
    'Functions must not mutate their arguments.',
    'Tests should not rely on the network.',
  ],
  ...[
    'Each endpoint needs a test.',
    'Every component gets a story.',
    'Exported functions need docstrings.',
    'Favour composition over inheritance.',
  ],
  ...['Guard clauses please.', 'Type hints everywhere.', 'Write small commits.'],
])('%j is a rule', async (said) => {
  expect(await read(said)).toMatchObject([{ kind: 'constraint' }]);
});

test.each([
  ...['Use the new endpoint here.', 'Fix the tests.', 'Keep going.', 'Use this file.'],
  ...[
    'Add tests for the parser.',
    'Errors must be shown in red.',
    'Names should be sorted.',
    'Tests should pass.',
  ],
  ...[
    'The errors must be typed.',
    'Files should be uploaded to S3.',
    'Use early returns here.',
    'Use arrow functions in app.ts.',
  ],
  ...[
    'One request per user.',
    'One file per upload.',
    'Errors only when I click the button.',
    'Use the early return.',
  ],
  ...['Comments should be threaded.', 'Tests go to CI.', 'Keep the functions.', 'Keep this short.'],
  ...[
    'Put the tests next to the parser.',
    'Name the file in kebab-case.',
    'Names in the list',
    'Use hooks to fix this.',
  ],
  ...[
    'Tests only for the parser.',
    'Should errors be typed?',
    'The guide says errors must be typed.',
    'If errors must be typed, fine.',
  ],
  ...[
    'Write the tests.',
    'Use strict mode for this one.',
    'Types are wrong.',
    'Errors should be gone now.',
  ],
  ...[
    'Game over screen.',
    'Messages should be small on mobile.',
    'Commits are in main.',
    'Use the second one.',
  ],
  ...[
    'Use a set for this.',
    'Use early returns in parse().',
    'Use hooks in the header component.',
    'Use the existing helper.',
  ],
  ...[
    'Use typed errors in src/api.ts.',
    'Use strict mode in tsconfig.json.',
    'Use arrow functions here, the linter complains.',
    'Use camelCase for that field.',
  ],
  ...[
    'Use conventional commits for this PR.',
    'Keep the function.',
    'Keep it short.',
    'Keep these files small for now.',
  ],
  ...[
    'Keep the tests running.',
    'Keep an eye on the logs.',
    'Tests should be green now.',
    'Tests should be fixed first.',
  ],
  ...[
    'Tests must pass before we merge this.',
    'The names must be unique.',
    'Names should be unique.',
    'Names should be shown in bold.',
  ],
  ...[
    'Components should be aligned to the left.',
    'Errors must be shown to the user.',
    'Errors should be logged to the console.',
    'Errors should go away after that.',
  ],
  ...[
    'Comments should be sorted by date.',
    'Comments should be visible only to admins.',
    'Files should be deleted after an hour.',
    'Types should be imported from core.',
  ],
  ...[
    'Imports should be fixed now.',
    'Migrations should be run again.',
    'Commits should be pushed now.',
    'One row per user.',
  ],
  ...[
    'One request per second.',
    'One thing per line in the output of this command.',
    'One more time please.',
    'One component is missing.',
  ],
  ...[
    'Names in the table are wrong.',
    'Names in German are cut off.',
    'Tests go red when I run it.',
    'Tests live in a mess.',
  ],
  ...[
    'Tests belong to Sam.',
    'Files belong to root.',
    'Comments only load when I scroll.',
    'Comments only for logged-in users.',
  ],
  ...[
    'Mocks only for the payment test here.',
    'Put the file next to index.ts.',
    'Put tests for the parser in tests/parser.test.ts.',
    'Write the docs in English.',
  ],
  ...[
    'Name it user_id.',
    'Name the branch fix/login.',
    'Write a test for the parser.',
    'Move over to the next step.',
  ],
  ...[
    'Interfaces over there are broken.',
    'Types are gone.',
    'Return early from the loop in main().',
    'Type everything again please.',
  ],
  ...[
    'Should tests be small?',
    'Are commits atomic?',
    'The README says tests should be small.',
    'If functions should be pure, tell me.',
  ],
  ...[
    'Functions are too long.',
    'Make functions shorter in utils.py.',
    'Use functional components in the new page.',
    'Use single quotes in this file.',
  ],
  ...[
    'Early returns would be nice here.',
    'Semicolons are missing in app.js.',
    'Use pure functions to fix the bug above.',
    'Fix the imports.',
  ],
  ...['Add docstrings to the parser.'],
  ...[
    'Use relative imports in the parser.',
    'Use composition.',
    'Make semicolons optional.',
    'Use full names on the profile page.',
  ],
  ...[
    'Use short names in the sidebar.',
    'Use British spelling on the pricing page.',
    'Names must be lowercase.',
    'Names must not contain spaces.',
  ],
  ...[
    'Titles must not exceed 60 characters.',
    'Files must be under 10 MB.',
    'Files should be readonly.',
    'Names should be sorted alphabetically.',
  ],
  ...[
    'Put names next to the avatars.',
    'Put titles next to the icons.',
    'Names go next to the faces.',
    'Comments go next to the post.',
  ],
  ...[
    'Comments only when users are logged in.',
    'Comments only if logged in.',
    'Lines only where data exists.',
    'Classes only when hovered over.',
  ],
  ...[
    'Exports should be fast.',
    'Styles should be flat.',
    'Messages should be short.',
    'Titles should be small on mobile.',
  ],
  ...['Keep tests.', 'Keep lines open.', 'Keep names.', 'Keep modules from v1.'],
  ...[
    'One line per user please.',
    'One test per day fails.',
    'One migration per deploy ran.',
    'One change at a time.',
  ],
  ...[
    'One commit is missing.',
    'Every test needs a fix.',
    'Tests need Docker.',
    'Functions need arguments.',
  ],
  ...[
    'Files need to be moved.',
    'Imports get slow.',
    'Types should be shown in the tooltip.',
    'Functions must be called once.',
  ],
  ...[
    'Modules should be loaded lazily.',
    'Errors must be caught in main().',
    'Variables should be renamed.',
    'Tests should be skipped on Windows.',
  ],
  ...[
    'Type everything into the form.',
    'Fail fast if the port is taken.',
    'Return early here.',
    'Early returns are missing.',
  ],
  ...[
    'Semicolons please in line 5.',
    'Use semicolons in this file only.',
    'Names in English are missing.',
    'Comments in German must go.',
  ],
  ...[
    'Write commits in the log.',
    'Name files like this one.',
    'Prefer composition here.',
    'Test names in the report are cut off.',
  ],
  ...['Branches in snake_case were deleted.', 'Errors should typed be.'],
])('%j is no rule', async (said) => {
  expect(await read(said)).toEqual([]);
});
