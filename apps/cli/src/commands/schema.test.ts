import { expect, test } from 'vitest';
import { commandTable } from '../command-table.ts';
import { runOn } from '../test-support/fake-host.ts';
import { answerSchemas } from './schema.ts';

test('every command that answers has a schema', () => {
  const names = commandTable.map(({ name }) => name).filter((name) => name !== 'schema');
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
