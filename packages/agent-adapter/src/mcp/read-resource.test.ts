import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { listResources, maxResourceCharacters, readResource } from './read-resource.ts';

async function stored(result: unknown, sessionId = 's') {
  const store = await openStore(memoryBackend());
  const { pointer } = await store.outputs.save({ sessionId, toolName: 'Bash', args: {}, result });
  return { store, id: pointer.id };
}

describe('an output as a resource', () => {
  it('is read whole, byte for byte, and by lines', async () => {
    const text = 'first\n\n  second\r\nthird\n';
    const { store, id } = await stored(text);
    const host = { store, sessionId: 's' };
    const whole = await readResource(host, `ctx://s/${id}`);
    expect(whole.contents[0]).toEqual({ uri: `ctx://s/${id}`, mimeType: 'text/plain', text });
    const [part] = (await readResource(host, `ctx://outputs/${id}?from=3&to=3`)).contents;
    expect(part?.text).toContain('second');
    expect(part?._meta).toMatchObject({ 'ctx/from': 3, 'ctx/to': 3, 'ctx/totalLines': 4 });
  });

  it('is read by characters, and a line that is too long says how it goes on', async () => {
    const text = `${'x'.repeat(maxResourceCharacters)}end`;
    const { store, id } = await stored(text);
    const host = { store, sessionId: 's' };
    const [first] = (await readResource(host, `ctx://s/${id}`)).contents;
    const rest = first?._meta?.['ctx/rest'];
    expect(rest).toBe(`${String(maxResourceCharacters + 1)}-${String(text.length)}`);
    const uri = `ctx://s/${id}?characters=${String(rest)}`;
    const [second] = (await readResource(host, uri)).contents;
    expect(second).toMatchObject({ text: 'end', _meta: { 'ctx/totalCharacters': text.length } });
  });

  it('comes in parts where it is too long, and says where it goes on', async () => {
    const line = 'word '.repeat(20);
    const text = `${line}\n`.repeat(25_000);
    const { store, id } = await stored(text);
    const host = { store, sessionId: 's' };
    let from: unknown = 1;
    let lines = 0;
    for (let part = 0; part < 10 && typeof from === 'number'; part += 1) {
      const uri = `ctx://s/${id}?from=${String(from)}`;
      const [content] = (await readResource(host, uri)).contents;
      expect(content?.text.length).toBeLessThanOrEqual(maxResourceCharacters);
      lines += content?.text.split('\n').filter((each) => each === line).length ?? 0;
      from = content?._meta?.['ctx/nextLine'];
    }
    expect(lines).toBe(25_000);
  });

  it('of another session is as unknown as one that is not there', async () => {
    const { store, id } = await stored('secret', 'theirs');
    const host = { store, sessionId: 'mine' };
    for (const uri of [`ctx://theirs/${id}`, `ctx://mine/${id}`, `ctx://outputs/${id}`]) {
      await expect(readResource(host, uri)).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
    }
    const all = await readResource({ store }, `ctx://theirs/${id}`);
    expect(all.contents[0]?.text).toBe('secret');
    await expect(readResource({ store }, `ctx://mine/${id}`)).rejects.toMatchObject({
      code: 'CTX_NOT_FOUND',
    });
  });

  it('is listed with its session only, the newest first', async () => {
    const { store, id } = await stored('one');
    const { pointer } = await store.outputs.save({
      ...{ sessionId: 's', toolName: 'Read', args: {}, result: 'two' },
    });
    const { resources } = await listResources({ store, sessionId: 's' });
    expect(resources.map(({ uri }) => uri)).toEqual([`ctx://s/${pointer.id}`, `ctx://s/${id}`]);
    expect((await listResources({ store })).resources).toEqual([]);
  });

  it('is listed as long as it is among the newest hundred', async () => {
    const store = await openStore(memoryBackend());
    for (let number = 0; number < 130; number += 1) {
      const result = `output ${String(number)}`;
      await store.outputs.save({
        sessionId: 's',
        toolName: `T${String(number)}`,
        args: {},
        result,
      });
    }
    const { resources } = await listResources({ store, sessionId: 's' });
    const names = resources.map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([100, 'T129', 'T30']);
  });
});
