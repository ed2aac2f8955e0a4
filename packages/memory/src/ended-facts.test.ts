import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { createMemory } from './create-memory.ts';

/** What a memory holds for true after a user said all of this, one after the other. */
async function heldAfter(said: readonly string[]): Promise<string[]> {
  const memory = createMemory(await openStore(memoryBackend()), { scope: { user: 'ada' } });
  for (const [from, text] of said.entries()) {
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
    await memory.observe([message], { sessionId: 's', from, saidAt: 1.7e12 + from * 1e6 });
  }
  const { entries } = await memory.list({ limit: 100 });
  return entries.filter(({ validTo }) => validTo === undefined).map(({ text }) => `${text}.`);
}

test.each([
  ['We use Redis.', 'We got rid of Redis.'],
  ['We store sessions in Redis.', "We've got rid of Redis."],
  ['We use Redis for caching.', 'We dropped Redis last month.'],
  ['We use Kafka.', 'We finally phased out Kafka.'],
  ['Our CI runs on Jenkins.', 'We retired Jenkins.'],
  ['We deploy to Heroku.', "We're off Heroku now."],
  ['We deploy to Heroku.', 'We moved away from Heroku.'],
  ['We use Docker.', 'We no longer have Docker.'],
  ['We use Docker.', 'Docker is no longer used.'],
  ['We use Docker in CI.', 'We dropped Docker in CI.'],
  ['We use npm.', 'No more npm.'],
  ['We track issues in Jira.', "It's Linear now, not Jira."],
  ['We track issues in Jira.', "It's no longer Jira, it's Linear."],
  ['Our issue tracker is Jira.', "It's now Linear, not Jira."],
  ['We use Kafka.', 'Kafka has been replaced by NATS.'],
  ['We use Kafka.', 'Kafka was replaced with NATS last week.'],
  ['We use Kafka.', 'NATS has replaced Kafka.'],
  ['We use Kafka.', 'We swapped Kafka for NATS.'],
  ['We send events through Kafka.', 'Kafka is out, NATS is in.'],
  ['We use Jest.', "No more Jest: it's Vitest from here on."],
  ['We use Jest.', "no more Jest, it's Vitest now"],
  ['We use Jest.', 'No more Jest, we use Vitest now.'],
  ['We use Jest.', 'From now on Vitest, not Jest.'],
  ['We use Jest.', 'Goodbye Jest, hello Vitest.'],
  ['We support Node 18.', 'We dropped support for Node 18.'],
  ['We support Node 18.', 'We dropped Node 18 support.'],
  ['We support Node 18.', "We don't support Node 18 any more."],
  ['We support Node 18.', 'We dropped Node 18.'],
  ["We're on Node 18.", 'We dropped support for Node 18.'],
  ['We use React in the admin app.', 'We switched from React to Vue in the admin app.'],
  ['We use Elasticsearch.', "We've ditched Elasticsearch."],
  ['We cache pages in Memcached.', 'We removed Memcached completely.'],
  ['We use Mocha.', 'Mocha got replaced by Vitest.'],
  ['We write our tests with Jest.', 'Vitest replaced Jest last month.'],
  ['We use Sentry.', 'We stopped paying for Sentry.'],
  ['Our cloud provider is AWS.', "It's Azure now, not AWS."],
  ['We host everything on Netlify.', 'We migrated off Netlify.'],
  ['We use yarn.', 'no more yarn please'],
  ['We use yarn.', 'yarn is out, pnpm is in'],
  ['We use Webpack.', "It's Vite from now on, not Webpack."],
  ['We use Webpack.', "Webpack is history, we're using Vite."],
  ['We support Python 3.8.', 'We no longer support Python 3.8.'],
  ['We support Python 3.8.', "We've dropped Python 3.8 support."],
  ['We support Node 16.', 'We ended support for Node 16.'],
  ['We use Slack.', "It's Teams now instead of Slack."],
  ['We use MongoDB.', 'We got rid of MongoDB because it was slow.'],
  ['We use RabbitMQ.', 'RabbitMQ was replaced by Kafka.'],
  ['We use Trello.', 'Bye Trello, hello Linear.'],
  ['We use Trello.', 'We traded Trello for Linear.'],
  ['We use CircleCI.', "We're finally rid of CircleCI."],
  ['We use Terraform.', "We don't have Terraform any more."],
  ['We use Docker.', 'Docker is gone for good.'],
  ['We use Docker.', 'Docker has been removed.'],
  ['We use GraphQL.', 'So we ripped out GraphQL.'],
  ['We bundle with Rollup.', 'Rollup has been superseded by esbuild.'],
  ['We format code with Prettier.', "It's Biome now, not Prettier."],
  ['We use Redux.', 'We got rid of Redux.'],
  ['We use Storybook.', 'We retired Storybook last year.'],
  ['We use Firebase.', 'We have moved away from Firebase.'],
  ['We use Django.', 'We abandoned Django.'],
  ['We track bugs in Asana.', 'We dropped Asana for Linear.'],
  ['We use ESLint.', 'ESLint was replaced with Biome.'],
  ['We use ESLint.', 'We no longer lint with ESLint.'],
  ['We use Kafka.', "Kafka's gone, it's NATS now."],
  ['We use Kafka.', 'NATS took over from Kafka.'],
  ['We use Jest.', 'Not Jest any more, Vitest now.'],
  ['We use Jest.', 'Jest is no longer our test runner.'],
  ['We store sessions in Redis.', 'We no longer store sessions in Redis.'],
  ['We store sessions in Redis.', "We don't store sessions in Redis any more."],
])('%j is past after %j', async (old, said) => {
  expect(await heldAfter([old])).toEqual([old]);
  const held = await heldAfter([old, said]);
  expect(held).toHaveLength(1);
  expect(held).not.toContain(old);
});

test.each([
  ['We use React Native.', 'We got rid of React.'],
  ['We use Redis in the worker.', 'We dropped Redis in the API.'],
  ['We use Kafka.', 'We got rid of Redis.'],
  ['We use Elasticsearch.', 'We should ditch Elasticsearch.'],
  ['We use Elasticsearch.', 'We considered dropping Elasticsearch.'],
  ['We use Elasticsearch.', 'Elasticsearch was removed from the list of services.'],
  ['We use Elasticsearch.', 'We removed Elasticsearch 7 nodes.'],
  ['We use Elasticsearch.', 'Has Elasticsearch been replaced by OpenSearch?'],
  ['We use Elasticsearch.', 'Elasticsearch has been replaced by OpenSearch in the tutorial.'],
  ['We use Elasticsearch.', 'Elasticsearch is gone, can you restart it?'],
  ['We use Elasticsearch.', 'Elasticsearch is out of memory.'],
  ['We use Docker.', 'Docker is history-aware.'],
  ['We use Docker.', 'When we got rid of Docker, builds got slower.'],
  ['We use Docker.', 'Before we dropped Docker, it took an hour.'],
  ['We use Docker.', 'Imagine we got rid of Docker.'],
  ['We use Docker.', 'My old team got rid of Docker.'],
  ['We use Docker.', 'They got rid of Docker.'],
  ['We use Docker.', 'We got rid of Docker Desktop.'],
  ['We use Docker.', 'We got rid of Podman.'],
  ['We use Docker.', 'No more Docker jokes.'],
  ['We use Docker.', "It's Podman in the demo now, not Docker."],
  ['We use Docker.', 'Is Docker gone?'],
  ['We use Docker.', 'We dropped Docker for a week.'],
  ['We use Docker.', 'We removed Docker, then added it again.'],
  ['We use Docker.', 'We got rid of Docker in the staging cluster.'],
  ['We use Docker.', 'Docker is no longer used by the tests.'],
  ['We use Docker.', "We can't get rid of Docker."],
  ['We use Docker.', 'We never got rid of Docker.'],
  ['We use Docker.', "We haven't got rid of Docker."],
  ['We use Docker.', 'We nearly dropped Docker.'],
  ['We use Docker.', "We'll get rid of Docker."],
  ['We use Docker.', "We got rid of Docker's warnings."],
  ['We support Node 18.', 'We dropped support for Node 16.'],
  ['We support Node 18.', 'We might drop support for Node 18.'],
  ['We support Node 18.', 'When do we drop Node 18?'],
  ['We support Node 18.', 'We dropped support for Node 18 in the docs package.'],
  ['We use React 18.', 'We dropped React 17.'],
  ['We use React 18.', 'We dropped React 17 support.'],
  ['We use Node 20 in CI.', 'We dropped Node 18 in CI.'],
  ['We use npm.', "It's fast now, not slow."],
  ['We use npm.', 'The log says npm has been replaced by pnpm.'],
  ['We use npm.', 'npm was replaced by pnpm in the docs.'],
  ['We use npm.', 'pnpm replaces npm in many projects.'],
  ['We use npm.', 'pnpm replaces npm.'],
  ['We use Slack.', 'Slack is no longer our problem.'],
  ['We store sessions in Redis.', 'We no longer store passwords in Redis.'],
  ['We use Redis.', 'We no longer store sessions in Redis.'],
  ['We use ESLint.', "We don't lint with ESLint."],
])('%j still holds after %j', async (one, other) => {
  expect(await heldAfter([one, other])).toContain(one);
});

const held = [
  ...['We use ESLint.', 'We use Node 20.', 'The deadline is Friday.', 'The port is 8080.'],
  ...['We use Webpack.', 'We use npm.', 'We use Postgres 15.', 'We use Redis.'],
];

test.each([
  ...['We might drop Redis.', 'We want to get rid of Redis.', 'Did we get rid of Redis?'],
  ...['If we got rid of Redis, it would be faster.', 'We almost got rid of Redis.'],
  ...['We got rid of Redis once, then it came back.', 'At Acme we got rid of Redis.'],
  ...['Sam says we got rid of Redis.', 'The post says "We got rid of Redis".'],
  ...["We got rid of Redis' cache.", 'We got rid of the Redis warnings.', 'We dropped Kafka.'],
  ...['We dropped Redis in the docs repo.', 'We removed Redis from the README.'],
  ...['Redis is gone from the page.', 'Redis was removed from the diagram.', 'Redis is down.'],
  ...['We removed Redis temporarily.', 'Should we replace Redis with Valkey?'],
  ...['Redis has been replaced by Valkey in the demo.', 'Redis could be replaced by Valkey.'],
  ...[
    "It's Linear now, not Trello.",
    'Is it Valkey now, not Redis?',
    "It's faster now, not slower.",
  ],
  ...["If it's Valkey now, not Redis, tell me.", 'No more Redis errors.', 'No more npm warnings!'],
  ...['We dropped support for Node 16.', 'We dropped Node 18.', 'We got rid of Node 22.'],
  ...['We dropped Postgres 12.', 'We moved from Redis to Valkey in the docs repo.'],
  ...['We switched from npm to pnpm for the website.', 'No more Redis Insight.'],
  ...[
    'I dropped the users table.',
    'We left Redis running.',
    'We swapped Redis nodes for bigger ones.',
  ],
  ...['We plan to phase out Redis.', 'We got rid of Redis Insight.', 'We will drop npm.'],
  ...['Sam replaced Redis with Valkey.', 'No more npm in the docs repo.'],
])('%j ends nothing that holds', async (said) => {
  expect(await heldAfter([...held, said])).toEqual(expect.arrayContaining(held));
});
