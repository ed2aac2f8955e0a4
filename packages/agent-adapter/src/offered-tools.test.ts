import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { offeredTools } from './offered-tools.ts';

const schema = z.object({ path: z.string() });

describe('what a provider is sent of tools', () => {
  it('are the name, the description where there is one, and the schema', () => {
    const [described, bare] = offeredTools()([
      { name: 'read', description: 'Reads.', schema, func: () => '' },
      { name: 'list', schema, func: () => '' },
    ]);
    expect(described).toMatchObject({ name: 'read', description: 'Reads.' });
    expect(described).toMatchObject({ schema: { properties: { path: { type: 'string' } } } });
    expect(described).not.toHaveProperty('func');
    expect(bare).toMatchObject({ name: 'list' });
    expect(bare).not.toHaveProperty('description');
  });

  it('are the same whatever dialect a schema names', () => {
    const inDialect = (dialect: string) =>
      offeredTools()([{ name: 'read', schema: { $schema: dialect, type: 'object' } }]);
    expect(inDialect('http://json-schema.org/draft-07/schema#')).toEqual(
      inDialect('https://json-schema.org/draft/2020-12/schema'),
    );
  });

  it('are tools of the provider as they are, and nothing of a schema that cannot be said', () => {
    const own = { type: 'web_search', name: 'web_search' };
    const odd = { name: 'odd', schema: { _def: {} } };
    expect(offeredTools()([own, odd])).toEqual([own, { name: 'odd', schema: null }]);
  });
});
