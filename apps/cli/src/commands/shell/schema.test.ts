import { expect, test } from 'vitest';
import { commandTable } from '../../command-table.ts';
import { runOn } from '../../test-support/fake-host.ts';
import { answerSchemas } from './schema.ts';

/** What these print is a format of its own: JSON schema, and the protocol of its caller. */
const withoutAnswer = new Set(['schema', 'hook']);

test('every command that answers has a schema', () => {
  const names = commandTable.map(({ name }) => name).filter((name) => !withoutAnswer.has(name));
  expect(Object.keys(answerSchemas).sort()).toEqual(names.sort());
});

test.each(Object.keys(answerSchemas))('the schema of %s is JSON schema', async (name) => {
  const { exitCode, stdout } = await runOn({ cwd: '/' }, 'schema', name);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
  });
});
