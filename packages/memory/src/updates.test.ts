import { expect, test } from 'vitest';
import { heldAfter } from './test-support/held-after.ts';

test.each([
  ['The deadline is Friday.', 'The deadline moved to Monday.'],
  ['The deadline is Friday.', 'The deadline has been pushed back to Monday.'],
  ['The deadline is Friday.', 'The deadline is no longer Friday.'],
  ['I live in Bern.', "I don't live in Bern anymore."],
  ['I live in Bern.', 'I no longer live in Bern.'],
  ['I live in Bern.', 'I left Bern.'],
  ['I live in Bern.', 'I moved from Bern to Oslo.'],
  ["I don't live in Bern anymore.", 'I live in Bern.'],
  ['We use npm.', 'We switched to pnpm.'],
  ['We use npm.', "We don't use npm anymore."],
  ['We use npm.', 'Use pnpm, not npm.'],
  ['We use Heroku.', 'We switched from Heroku to Vercel.'],
  ['We use Docker.', 'We no longer use Docker.'],
  ['The port is 8080.', 'Change the port to 9090 from now on.'],
  ['The port is 8080.', 'The port is no longer 8080.'],
  ['The API runs on 8080.', 'The API now runs on 9090.'],
  ['I prefer tabs.', 'I prefer spaces now.'],
  ['We deploy on Tuesdays.', 'We deploy on Thursdays now.'],
  ['We deploy to Heroku.', 'We now deploy to Fly.'],
  ['We deploy to Heroku.', 'We no longer deploy to Heroku.'],
  ['The staging URL is https://a.example.', 'The staging URL is now https://b.example.'],
  ['I work at Acme.', 'I left Acme and joined Globex.'],
  ['I work at Acme.', "I don't work at Acme any more."],
  ['Always squash commits.', 'You no longer need to squash commits.'],
  ['Never push to main.', 'You can push to main again.'],
  ['Never use npm.', 'Always use npm.'],
  ['My favorite color is red.', 'Actually, my favorite color is blue.'],
  ['My cat is called Tom.', 'My cat is now called Tim.'],
  ['We use Node 20.', 'We use Node 22 now.'],
  ["We're on Node 20.", "We're on Node 22."],
  ['In tests, we use SQLite.', 'We use PostgreSQL in tests.'],
  ['In CI we use npm.', 'In CI we use pnpm.'],
  ['In CI we use npm.', 'We use pnpm in CI.'],
  ['In general we use npm.', 'We use pnpm.'],
  ['In production the port is 443.', 'The port is 444 in production.'],
  ['The database is Postgres 15.', 'We migrated the database to Postgres 16.'],
  ['My favourite editor is Vim.', 'I switched to Zed.'],
  ['I use Vim.', 'I switched to Zed.'],
  ['I use Vim.', 'I switched from Vim to Zed.'],
  ['I use Vim.', "I don't use Vim any more."],
  ['I prefer Vim.', 'I now use Zed.'],
  ['I use bash.', 'My shell is fish.'],
  ['Answer in English from now on.', 'Please answer in German.'],
  ['Please answer in German.', "Don't answer in German any more."],
  ['The API runs on 8080.', 'Our API is on port 9090.'],
  ['The API runs on port 8080 in production.', 'The API port in production is 9090.'],
  ['We use Jest.', 'We replaced Jest with Vitest.'],
  ['We use Jest.', 'We dropped Jest in favour of Vitest.'],
  ["Don't use emojis.", 'Use emojis again.'],
  ["I'm Lena.", 'My name is Ada.'],
  ['My manager is Priya.', 'My manager is no longer Priya, it is Sam.'],
  ['We support Node 16.', 'We no longer support Node 16.'],
  ['We support Node 16.', 'We dropped support for Node 16.'],
  ['We support Node 16.', 'We only support Node 20.'],
  ['Our frontend is written in React.', 'Our frontend is now written in Vue.'],
  ['We store sessions in Redis.', 'We now store sessions in Postgres.'],
  ['We store sessions in Redis.', 'We moved from Redis to Valkey.'],
  ['Payments go through Stripe.', 'Payments go through Adyen now.'],
  ['Tests live in tests/.', 'Tests live in src/tests/ now.'],
  ["I'm on macOS.", "I'm on Linux now."],
  ['Our CI runs on Jenkins.', 'We moved from Jenkins to GitHub Actions.'],
  ['CI runs on CircleCI.', 'CI is on GitHub Actions now.'],
  ['Our linter is ESLint.', 'We switched from ESLint to Biome.'],
  ['Staging is at staging.a.dev.', 'Staging moved to staging.b.dev.'],
  ['Tests live in test/.', 'Tests are now in src/__tests__.'],
  ['My name is Ada.', 'Call me Eve from now on.'],
  ['We use tabs.', 'Switch to 2 spaces please.'],
  ['We use ESLint.', "We're on Biome now instead of ESLint."],
  ['We run Node 20.', 'Bumped Node to 22.'],
  ["We're on Node 20.", 'We bumped Node from 20 to 22.'],
  ['We use Node 20.', 'Upgraded to Node 22.'],
  ['We use React 18.', 'React is at 19 now.'],
  ['The deadline is Friday.', "Deadline's Monday now."],
  ['The port is 8080.', "The port's 9090 now."],
  ['The staging port is 8080.', 'Staging port is 9090 now.'],
  ['We use Webpack.', 'Webpack is gone, we use Vite.'],
  ['We use Webpack.', "We're using Vite now, not Webpack."],
  ['We use npm.', 'Moved from npm to pnpm.'],
  ['We use npm.', "We're on pnpm now."],
  ['We use Prettier.', 'We moved off Prettier to Biome.'],
  ['We use Heroku.', 'Moved everything from Heroku to Fly.'],
])('"%s" is past after "%s"', async (old, said) => {
  expect(await heldAfter([old])).toEqual([old]);
  const held = await heldAfter([old, said]);
  expect(held).toHaveLength(1);
  expect(held).not.toContain(old);
});

test.each([
  ['We use PostgreSQL in production.', 'We use SQLite in tests.'],
  ['We use PostgreSQL.', 'We use SQLite in tests.'],
  ['We use PostgreSQL.', 'In tests, we use SQLite.'],
  ['We use npm.', 'In CI we use pnpm.'],
  ['In CI we use npm.', 'Locally we use pnpm.'],
  ['We use Node 22.', 'In CI, we use Node 20.'],
  ['We use Node 22.', 'In CI we use Node 20.'],
  ['In production the port is 443.', 'In development the port is 3000.'],
  ['We use PostgreSQL.', 'I love reading about MongoDB.'],
  ['We use PostgreSQL.', 'I love MongoDB.'],
  ['We use PostgreSQL.', 'I switched to SQLite last week.'],
  ['We use PostgreSQL.', 'We use PostgreSQL and SQLite.'],
  ['We use PostgreSQL.', 'Always back up the SQLite file.'],
  ['We use PostgreSQL.', 'We do not use MySQL.'],
  ['We use vitest in packages.', 'We use jest in the old app.'],
  ['We use tabs in Makefiles.', 'We use 2 spaces in YAML.'],
  ['My cat is called Tom.', 'My cat is black.'],
  ['My son is called Max.', 'My son is 5 years old.'],
  ['My son is called Max.', 'My son is called Tim.'],
  ['My name is Ada.', 'My name is hard to pronounce.'],
  ['My birthday is 3 May.', 'My birthday is next week.'],
  ['My editor is vim.', 'My editor is slow.'],
  ['The port is 8080.', 'The port is 9090 in staging.'],
  ['The release is on 3 May.', 'The app release is on 7 May.'],
  ['We deploy on Tuesdays.', 'We deploy on Thursdays.'],
  ['We use Node 20.', 'We use Node 22 in the old app.'],
  ['We use Node 20.', 'We use Docker now.'],
  ['I use Vim.', 'I use Emacs for notes.'],
  ['I use Vim.', 'I switched to fish.'],
  ["I'm a backend engineer.", "I'm a vegan."],
  ['The port is 8080.', 'Our API is on port 3000.'],
  ['Please answer in German.', 'Never answer in French.'],
  ['My son is called Max.', 'My daughter is called Mia.'],
  ['I live in Bern.', 'My manager Sam lives in Oslo.'],
  ['I live in Bern.', "I don't live in Oslo."],
  ['I live in Bern.', 'I left Acme.'],
  ['Never merge main into dev.', 'Always merge dev into main.'],
])('"%s" still holds after "%s"', async (one, other) => {
  expect((await heldAfter([one, other])).sort()).toEqual([one, other].sort());
});

const held = [
  ...['We use ESLint.', 'We use Node 20.', 'The deadline is Friday.', 'The port is 8080.'],
  ...['We use Webpack.', 'We use npm.', 'We use Postgres 15.'],
];

test.each([
  ["We're on Biome now in the docs repo."],
  ['Are we on Biome now instead of ESLint?'],
  ["Maybe we're on Biome now instead of ESLint."],
  ["Sam says we're on Biome now instead of ESLint."],
  ["We're on Biome's waiting list now."],
  ['We use Prettier for formatting, not ESLint.'],
  ['Bumped React to 19.'],
  ['Bumped Node to 22 in CI.'],
  ['Bumped Node to 22 for now.'],
  ['Bumped Node to 22 but it broke.'],
  ['Bumped the Node image to 22.'],
  ['Should we bump Node to 22?'],
  ['If we bumped Node to 22, would it work?'],
  ['The bot bumped Node to 22.'],
  ['The title is "Bumped Node to 22".'],
  ['Upgraded to Node 22 in a fork.'],
  ["Demo's Monday now."],
  ["Deadline's tight now."],
  ["Deadline's Monday now?"],
  ["My deadline's Monday now."],
  ["Sam says the deadline's Monday now."],
  ["The port's default is 9090 now."],
  ["The API's port is 9090 now."],
  ['Webpack is gone from the page.'],
  ['Once Webpack is gone, we use Vite.'],
  ['Sam says Webpack is gone, we use Vite.'],
  ['We use Vite in the demo instead of Webpack.'],
  ['Moved from npm scripts to a Makefile.'],
  ['Switched to the pnpm tab.'],
  ['Moved from npm to pnpm in the demo repo.'],
  ['We should move from npm to pnpm.'],
  ['Updated npm to 10.'],
  ['Bumped SQLite to 3.45.'],
])('"%s" ends nothing that holds', async (said) => {
  expect(await heldAfter([...held, said])).toEqual(expect.arrayContaining(held));
});

test.each([
  ['My friend says I live in Oslo.'],
  ['My friend says: "I live in Oslo."'],
  ['Bob told me that I live in Oslo.'],
  ['I live in Oslo, my friend says.'],
  ['I wish I lived in Oslo.'],
  ['According to the form, I live in Oslo.'],
  ['The docs read "I live in Oslo".'],
  ['User: I live in Oslo.'],
  ['I moved to the next task.'],
  ['I moved to Kotlin.'],
  ['I used to live in Paris.'],
  ['The deadline was Friday.'],
])('"%s" takes the place of nothing', async (said) => {
  const held = await heldAfter(['I live in Bern.', 'The deadline is Monday.', said]);
  expect(held.sort()).toContain('I live in Bern.');
  expect(held.some((text) => text.includes('Oslo') || text.includes('Friday'))).toBe(false);
});

test('what is moved to is no place where it is a tool', async () => {
  expect(await heldAfter(['I live in Bern.', 'I moved to Postgres last week.'])).toContain(
    'I live in Bern.',
  );
});

test('what users say that they said is theirs', async () => {
  expect(await heldAfter(['As I said, I live in Bern.'])).toEqual(['As I said, I live in Bern.']);
});

test('what "she" prefers is held by her name', async () => {
  const held = await heldAfter(['Our designer is Kim. She prefers spaces.']);
  expect(held.sort()).toEqual(['Kim prefers spaces.', 'Our designer is Kim.']);
});
