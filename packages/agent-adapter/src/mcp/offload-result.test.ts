import { openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { createContextManager } from '../context-manager/create-context-manager.ts';
import { offloadResult } from './offload-result.ts';

const long = Array.from({ length: 4000 }, (_, line) => `line ${String(line)}`).join('\n');
const call = { id: 'c1', name: 'run', input: {} };

async function made(): Promise<ContextManager> {
  return createContextManager({ store: await openStore(memoryBackend()), sessionId: 's' });
}

describe('a result of a server', () => {
  it('keeps what is said about a part whose text is put away, and every other part as it is', async () => {
    const about = { annotations: { audience: ['assistant'] }, _meta: { from: 'disk' } };
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
    const odd = ['no part', null, { type: 'text', text: 7 }];
    const content = [{ type: 'text', text: long, ...about }, image, ...odd];
    const result = Object.freeze({ content, isError: false });
    const given = { result, structured: 'keep' } as const;
    const shown = await offloadResult(await made(), call, given);
    expect(shown).toEqual({
      content: [
        { type: 'text', text: expect.stringMatching(/ctx:\/\/outputs\//) as unknown, ...about },
        image,
        ...odd,
      ],
      isError: false,
    });
  });

  it('stores each text on its own, and embedded resources, too', async () => {
    const manager = await made();
    const blob = 'QUJD'.repeat(10_000);
    const content = [
      { type: 'text', text: 'short' },
      { type: 'resource', resource: { uri: 'file:///a', text: long } },
      { type: 'resource', resource: { uri: 'file:///b', blob } },
    ];
    const shown = await offloadResult(manager, call, { result: { content }, structured: 'keep' });
    expect(shown).toMatchObject({ content: [content[0], { type: 'text' }, { type: 'text' }] });
    const pointers = await manager.getAllPointers();
    const outputs = await manager.loadContexts(pointers.map(({ id }) => id));
    expect(outputs.map(({ result }) => result)).toEqual(['short', long, blob]);
  });

  it('whose structured content the store did not take keeps it, though the text beside it left', async () => {
    const inner = memoryBackend();
    let saves = 0;
    const write: StoreBackend['write'] = async (...given) => {
      saves += given[0].filter(({ collection }) => collection === 'outputs').length;
      if (saves > 1) throw new Error('the disk is gone');
      return inner.write(...given);
    };
    const store = await openStore({ ...inner, write });
    const manager = createContextManager({ store, sessionId: 's' });
    const result = { content: [{ type: 'text', text: long }], structuredContent: { n: 1 } };
    const shown = await offloadResult(manager, call, { result, structured: 'drop' });
    expect(shown).toMatchObject({ structuredContent: { n: 1 } });
    expect(JSON.stringify(shown)).toContain('ctx://outputs/');
  });

  it('that is none of the protocol goes on as it came', async () => {
    const manager = await made();
    for (const result of [{}, { content: 'text' }, { content: null }]) {
      expect(await offloadResult(manager, call, { result, structured: 'drop' })).toBe(result);
    }
  });

  it('whose structured content may go keeps it where nothing was put away, and loses it where it was', async () => {
    const small = { content: [{ type: 'text', text: 'small' }], structuredContent: { n: 1 } };
    const drop = { structured: 'drop' } as const;
    expect(await offloadResult(await made(), call, { result: small, ...drop })).toBe(small);
    const large = { content: [{ type: 'text', text: long }], structuredContent: { n: 1 } };
    const shown = await offloadResult(await made(), call, { result: large, ...drop });
    expect(Object.keys(shown)).toEqual(['content']);
    const alone = { content: [], structuredContent: { text: long } };
    const named = await offloadResult(await made(), call, { result: alone, ...drop });
    expect(JSON.stringify(named)).toMatch(/^\{"content":\[\{"type":"text".*ctx:\/\/outputs\//);
  });
});
