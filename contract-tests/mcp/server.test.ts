import { createContextManager } from '@ctx/agent-adapter';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { connect, linksOf, resourceText, textOf } from './connect.ts';

const log = Array.from({ length: 4000 }, (_, line) => `test ${String(line)} passed`).join('\n');

async function setUp(sessionId = 's') {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId });
  const call = { id: 'c1', name: 'Bash', input: { command: 'npm test' } };
  const { pointer = '' } = await manager.recordToolOutput(call, log);
  return { store, pointer, client: await connect({ store, sessionId }) };
}

describe('a client of version 1 with the server of ctx', () => {
  it('is offered tools, those that read with the size up to which their answers stay', async () => {
    const { client } = await setUp();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'ctx_read_output',
      'ctx_search_outputs',
      'ctx_status',
      'ctx_recall',
      'ctx_remember',
      'ctx_save_output',
    ]);
    for (const { name, annotations, _meta, inputSchema } of tools) {
      const reads = !['ctx_remember', 'ctx_save_output'].includes(name);
      expect(annotations?.readOnlyHint).toBe(reads);
      expect(_meta?.['anthropic/maxResultSizeChars']).toBe(reads ? 100_000 : undefined);
      expect(inputSchema.type).toBe('object');
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('session');
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('tenant');
    }
  });

  it('reads by the pointer that stands in the conversation, by lines and by pattern', async () => {
    const { client, pointer } = await setUp();
    const read = (args: Record<string, unknown>) =>
      client.callTool({ name: 'ctx_read_output', arguments: args });
    expect(textOf(await read({ pointer, pattern: 'test 2718' }))).toContain('test 2718 passed');
    expect(textOf(await read({ pointer, from: 10, to: 10 }))).toContain('test 9 passed');
    const wrong = await read({ pointer, lines: 3 });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('Wrong arguments');
  });

  it('gets links from a search, and reads them whole or by lines', async () => {
    const { client } = await setUp('a session / with signs');
    const found = await client.callTool({
      name: 'ctx_search_outputs',
      arguments: { query: 'test' },
    });
    const [uri = ''] = linksOf(found);
    expect(uri).toMatch(/^ctx:\/\/a%20session%20%2F%20with%20signs\//);
    const less = await client.callTool({
      name: 'ctx_search_outputs',
      arguments: { query: '"passed test" zeppelin' },
    });
    expect(textOf(less)).toMatch(/^No hit holds all of the words\. These hold some of them:\nctx:/);
    expect(resourceText(await client.readResource({ uri }))).toBe(log);
    const part = await client.readResource({ uri: `${uri}?from=2&to=3` });
    expect(resourceText(part)).toBe('test 1 passed\ntest 2 passed');
    const { resources } = await client.listResources();
    expect(resources.map((each) => each.uri)).toEqual([uri]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'ctx://{session}/{id}',
    ]);
  });

  it('saves, remembers and recalls', async () => {
    const { client } = await setUp();
    const call = async (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args });
    const saved = await call('ctx_save_output', { name: 'notes', text: 'the zebra is striped' });
    const [uri = ''] = linksOf(saved);
    expect(resourceText(await client.readResource({ uri }))).toBe('the zebra is striped');
    expect(textOf(await call('ctx_remember', { fact: 'The owner prefers tabs' }))).toBe(
      'Remembered.',
    );
    expect(textOf(await call('ctx_recall', { query: 'tabs' }))).toContain('prefers tabs');
    expect(textOf(await call('ctx_status', {}))).toContain('2 tool outputs are stored');
  });

  it('sees nothing of another session, whatever it names', async () => {
    const { store, pointer } = await setUp('theirs');
    const client = await connect({ store, sessionId: 'mine' });
    const id = pointer.slice('ctx://outputs/'.length);
    const answer = await client.callTool({ name: 'ctx_read_output', arguments: { pointer } });
    expect(answer.isError).toBe(true);
    expect(
      linksOf(await client.callTool({ name: 'ctx_search_outputs', arguments: { query: 'test' } })),
    ).toEqual([]);
    const refusals: string[] = [];
    const range = client.readResource({ uri: `ctx://mine/${id}?from=none` });
    await expect(range).rejects.toMatchObject({ code: -32_602 });
    const missing = client.readResource({ uri: `ctx://mine/${id}` });
    await expect(missing).rejects.toMatchObject({ code: -32_602 });
    for (const uri of [`ctx://theirs/${id}`, `ctx://outputs/${id}`, 'ctx://mine/nothing']) {
      await client.readResource({ uri }).catch((error: unknown) => {
        refusals.push(String(error).replace(/ctx:\S+/, 'address'));
      });
    }
    expect(refusals).toHaveLength(3);
    expect(refusals.join('\n')).not.toContain('test 1 passed');
  });

  it('is offered nothing that writes where it may only read', async () => {
    const { store } = await setUp();
    const client = await connect({ store, sessionId: 's', canWrite: false });
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const answer = await client
      .callTool({ name: 'ctx_remember', arguments: { fact: 'x' } })
      .catch((error: unknown) => ({ isError: true, error }));
    expect(answer.isError).toBe(true);
  });
});
