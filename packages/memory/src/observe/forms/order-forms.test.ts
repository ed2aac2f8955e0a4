import { expect, test } from 'vitest';
import { rules } from '../rules.ts';

async function read(text: string) {
  const { signal } = new AbortController();
  return rules().observe([{ sequence: 0, speaker: 'user', text }], { signal });
}

test.each([
  ...['pls never push straight to main', 'Never ever commit secrets.', 'no semicolons'],
  ...['No comments in the code unless I ask.', 'Use named exports only.'],
  ...['Use single quotes everywhere.', 'Only use async/await, no .then chains.'],
  ...["I don't want you to create new files unless needed.", 'Be concise.'],
  ...['Stick to the existing code style.', 'Follow the style guide in CONTRIBUTING.md.'],
  ...["I'd rather have explicit types than inference.", 'Keep functions under 50 lines.'],
  ...['Avoid abbreviations in variable names.', 'Lines max 100 chars.'],
  ...['Prefer composition over inheritance.', 'Prefer early returns.'],
  ...['Make sure every new function has a test.', 'Make sure all public functions are typed.'],
  ...['Skip the explanations, just show me the code.', 'Stop creating README files.'],
  ...['console.log is forbidden in src/.', 'I want all new code in TypeScript.'],
])('%j is a rule', async (said) => {
  expect(await read(said)).toMatchObject([{ kind: 'constraint' }]);
});

test.each([
  ...['Make sure this test passes.', 'Make sure every test passes.', 'Make sure it compiles.'],
  ...['Use the second approach.', 'Use a map here.', 'Use port 3001 for now, 3000 is taken.'],
  ...['Avoid the null check here.', 'Avoid it.', 'Avoid breaking the build.'],
  ...['Skip this test for now.', 'Skip the first two.', 'Stop generating the report.'],
  ...['Prefer option B here.', 'Prefer the left one.', 'Be careful with this one.'],
  ...['Keep the old function for now.', 'Keep the timeout under 5 seconds in this test.'],
  ...['Only the first test fails.', 'Only used in one place.', 'No errors this time'],
  ...['No default export in ./foo.ts', 'Access is forbidden.', 'I want all the rows to be blue.'],
  ...['Follow the steps in the README.', 'Follow the link below.', "I'd rather do it tomorrow."],
  ...['From now on the server returns JSON.', 'Each row needs a checkbox.'],
  ...['The linter says to prefer const.', 'Should I avoid classes?', 'If you avoid classes, fine.'],
])('%j is no rule', async (said) => {
  expect(await read(said)).toEqual([]);
});
