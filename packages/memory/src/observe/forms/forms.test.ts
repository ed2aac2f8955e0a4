import { expect, test } from 'vitest';
import { rules } from '../rules.ts';

async function read(text: string) {
  const { signal } = new AbortController();
  return rules().observe([{ sequence: 0, speaker: 'user', text }], { signal });
}

test.each([
  ['We support Node 18', 'support node 18'],
  ['We only support Python 3.11 and newer', 'support python 3 11'],
  ['We dropped support for IE11', 'support ie 11'],
  ['We target ES2020', 'support es 2020'],
  ['Our frontend is written in React', 'use written frontend'],
  ['The mobile app is built with Flutter', 'use written app mobil'],
  ['The backend is in Go', 'use written backend'],
  ['Most of our code is in Scala', 'use written code'],
  ['The API uses GraphQL', 'use api graph ql'],
  ['The frontend uses Vue 3', 'vue version frontend'],
  ['This project uses Deno', 'use deno'],
  ['We write our tests with Playwright', 'use test write'],
  ['We store sessions in Redis', 'use session store'],
  ['We host everything on AWS in eu-west-1', 'use host'],
  ['We mainly write Kotlin', 'use kotlin'],
  ['We indent with tabs', 'indentation'],
  ['All our services run on Kubernetes', 'run on services'],
  ['Authentication is handled by Auth0', 'use authent handl'],
  ['Payments go through Stripe', 'use handl payment'],
  ['We follow the Airbnb style guide', 'follow airbnb guid style'],
  ['For context, this is a Django app', 'project type'],
  ["FYI we're on Node 22", 'node version'],
  ["We're a Python shop", 'project type'],
  ['The codebase is a pnpm monorepo', 'project type'],
  ['Our ORM is Prisma', 'orm'],
  ['The session timeout is 30 minutes', 'session timeout'],
  ['Max line length is 120 characters', 'line length'],
  ['Our default branch is develop', 'default branch'],
  ['The entry point is src/main.ts', 'entry point'],
  ['Tests live in the tests/ folder', 'path test'],
  ['Migrations are in db/migrations', 'path migrat'],
  ['Staging lives at staging.acme.dev', 'staging url'],
  ['You can find the docs at docs.acme.io', 'docs url'],
  ['Prices are stored in cents', 'format price'],
  ['All timestamps are in UTC', 'format timestamp'],
  ['Our sprint ends on Thursday', 'sprint'],
  ['Launch is scheduled for March 3', 'launch'],
  ['We release every two weeks', 'release on two week'],
  ['From now on we deploy on Mondays', 'deploy on mondai'],
  ['Our servers are in Frankfurt', 'run in server'],
  ['Our servers moved to Dublin', 'run in server'],
  ['The backups are now in eu-west-1', 'run in backup'],
  ['Production runs Postgres 15', 'database product'],
  ['CI uses Node 22', 'node version ci'],
  ['Tests live in test/, not in src', 'path test'],
  ['Also the staging database is at db.staging.internal:5432', 'staging database url'],
])('"%s" tells of the project: %s', async (said, attribute) => {
  const found = await read(said);
  expect(found.map((fact) => [fact.subject, fact.attribute])).toEqual([['project', attribute]]);
});

test.each([
  ["I'm on macOS", 'operating system'],
  ['I run Arch Linux', 'operating system'],
  ["I'm using Windows 11 with WSL", 'operating system'],
  ["I'm based out of Lisbon", 'location'],
  ["I'm new to Rust", 'knows rust'],
  ["I've been programming in Java for 15 years", 'knows java'],
  ["I don't drink coffee", 'drinks coffe'],
  ["I'm left-handed", 'handedness'],
  ["I'm colorblind", 'is colorblind'],
  ['I go by Alex', 'name'],
  ['People call me Max', 'name'],
  ['You can call me Al', 'name'],
  ['I work for a bank called Nordea', 'employer'],
  ['I work on the payments team', 'team'],
  ["I'm Alfred", 'name'],
])('"%s" tells of the user: %s', async (said, attribute) => {
  const found = await read(said);
  expect(found.map((fact) => [fact.subject, fact.attribute])).toEqual([['user', attribute]]);
});

test.each([
  ['Commit messages should be in English', undefined],
  ['Every PR needs a test', undefined],
  ['We never use default exports', undefined],
  ['We always squash merge', undefined],
  ['PRs go to develop, not main', undefined],
  ['Run the linter before every commit', undefined],
  ['Before you push, always run the tests', undefined],
  ['All functions need type hints', 'session'],
  ['You must run make lint before committing', 'session'],
  ['Avoid adding new dependencies', 'session'],
  ['Keep your answers short', 'session'],
  ['Use UTC for all timestamps', 'session'],
  ["I'd rather you use functional components", 'session'],
  ['The app must work without JavaScript', 'session'],
])('"%s" is a rule of the scope %s', async (said, scope) => {
  const found = await read(said);
  expect(found.map((fact) => [fact.kind, fact.scope])).toEqual([['constraint', scope]]);
});

test.each([
  ['Sam prefers tabs', 'Sam indentation', 'Sam prefers tabs'],
  ['Maya hates long functions', 'Maya likes function long', 'Maya hates long functions'],
  ['Kim owns the billing service', 'Kim owns bill servic', 'Kim owns the billing service'],
  ['Our designer is Kim. She prefers tabs.', 'Kim indentation', 'Kim prefers tabs'],
  ['My colleague Maya reviews this. She hates tabs.', 'Maya likes tab', 'Maya hates tabs'],
  ['Paul likes small PRs', 'Paul likes rs small', 'Paul likes small PRs'],
  ['Lena prefers Rust', 'Lena likes rust', 'Lena prefers Rust'],
  ['Ines speaks Dutch', 'Ines speaks dutch', 'Ines speaks Dutch'],
])('"%s" tells of a person: %s', async (said, attribute, text) => {
  const found = (await read(said)).filter(({ subject }) => subject === 'person');
  expect(found.map((fact) => [fact.attribute, fact.text])).toEqual([[attribute, text]]);
  expect(said).toContain(found[0]?.quote);
});

test.each([
  ...['She prefers tabs', 'The user is unknown. She prefers tabs', 'Nobody prefers tabs'],
  ...['TypeScript prefers interfaces', 'Redux owns the state', 'It prefers tabs'],
  ...['Do we support Node 18?', 'We should support Node 18', 'We plan to support Node 18'],
  ...['We support Node 18 in the example below', 'We support this', 'We support the idea'],
  ...['In the README, write that we support Node 18', 'The README says "We support Node 18"'],
  ...['The library supports X but fails', 'Imagine our backend is written in Go'],
  ...['The file is written in UTF-8 by this test', 'The backend is in progress'],
  ...['The app is in Safari', 'The backend is in Docker and it hangs', 'The page is in Chrome'],
  ...['The API uses a lot of memory', 'The frontend uses 3 GB of RAM', 'This project uses memory'],
  ...['We manage to crash in Safari', 'We test this in Chrome', 'We keep getting errors in Chrome'],
  ...['We build the image in Docker and then it hangs', 'We deploy to see if it works'],
  ...['We deploy to the wrong bucket right now', 'We moved from step 1 to step 2'],
  ...['The product is called with two arguments', 'The app is called from main'],
  ...['Nothing goes through Kafka', 'Requests go through Cloudflare and time out'],
  ...['This is a Rails error', 'This is a React bug', 'This is an API', "We're a team"],
  ...['Changes are in src/app.ts', 'The errors are in src/app.ts', 'The files are in /tmp/foo'],
  ...['Staging is on fire', 'Staging is at 80%', 'Line length is 100 in this file'],
  ...['Line width is 80 but should be 100', 'Release is broken on Monday'],
  ...['The launch is at risk on Monday', 'The sprint is over'],
  ...['Every file needs to be renamed', 'All tests should pass', 'Each row has to be deleted'],
  ...['The build must be broken', 'The app has to restart', 'Commits should be pushed now'],
  ...['Print a message for each session', 'Add a blank line after every change'],
  ...['Use one request for each user', 'Avoid the second approach here', 'Keep the files open'],
  ...['Run the build before committing this', 'We always get an error', 'We never call it'],
  ...["I'm on Windows and it fails", "I'm on mobile right now", "I'm on the login page"],
  ...["I'm new to this", 'I have experience with it', "I don't drink and drive"],
  ...['People call me at night', 'I go by the book', 'In the story, we use npm'],
  ...['We use it a lot', 'We use a lot of memory', 'We are using too many mocks'],
  ...['FYI the build is broken', 'For context, I tried npm'],
  ...[
    'Use the Spinner instead of the inlined custom spinner',
    'I prefer a flight that leaves early',
  ],
  ...["Let's go with the economy class for this option, please"],
  ...['The CI is Red', 'Our database is Locked', 'The region is Unavailable', 'The owner is Null'],
  ...['The version is Wrong in the lockfile', 'The url is /undefined in the error'],
  ...['The port is 8080 in the log', 'My editor is Slow', "I'm Stuck"],
  ...['Zod prefers strings', 'Redux is responsible for the app state', 'Mongoose likes objects'],
  ...['Docker maintains a cache for the service', 'Redis speaks RESP'],
  ...[
    'Hypothetically, our database is Oracle',
    "Let's assume we use npm",
    '* We use Jest (deprecated)',
  ],
  ...['I like the second version better', 'I prefer the blue one', 'I prefer the first'],
  ...['Oh sure, I love waiting 40 minutes for CI', 'Great, I love merge conflicts'],
  ...['The servers are in Maintenance', 'Our servers are in trouble', 'The nodes are in Red state'],
  ...['The servers are in Kubernetes', 'The instance is in Running state', 'Staging is on Fire'],
  ...['Production runs the tests', 'CI runs smoothly', 'Are our servers in Frankfurt?'],
  ...['Redux prefers small functions', 'ESLint hates long lines', "I'm on the wrong page"],
  ...['Tests live in test/, not in src, which is wrong', 'If our servers are in Paris, stop'],
  ...['Yeah right, we always write tests', 'Never mind', 'Never seen this before'],
  ...['Always nice to hear', 'Always show the banner when the user is logged out'],
  ...["I prefer flights after 8am, so I'd like to choose Flight HAT072"],
])('"%s" states nothing that lasts', async (said) => {
  expect(await read(said)).toEqual([]);
});

test('what follows a fact in the sentence is no part of it', async () => {
  const [fact] = await read("My name is Mohamed Silva, and I'll tell more if necessary.");
  expect(fact?.text).toBe('My name is Mohamed Silva');
});
