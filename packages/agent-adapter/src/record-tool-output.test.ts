import { memoryBackend, openStore } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { outputIdOf } from './pointer-uri.ts';
import { recordToolOutput } from './record-tool-output.ts';

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const openMemory = () => openStore(memoryBackend(), { tokenCounter: words });

const log = Array.from({ length: 1500 }, (_, index) =>
  index === 700 ? 'ERROR: disk on fire' : `line ${String(index)} ok`,
).join('\n');

const call = { sessionId: 's', toolName: 'Bash', args: { command: 'npm test' } };

describe('recordToolOutput', () => {
  it('puts a small result into the message as it is, and stores it', async () => {
    const store = await openMemory();
    const recorded = await recordToolOutput(store, { ...call, result: 'all good' });
    expect(recorded).toMatchObject({ content: 'all good', offloaded: false, tokens: 2 });
    expect((await store.outputs.load(recorded.receipt.pointer))?.result).toBe('all good');
  });

  it('leaves a preview with head, errors, tail and a pointer that brings everything back', async () => {
    const store = await openMemory();
    const { content, offloaded, tokens } = await recordToolOutput(store, { ...call, result: log });
    expect(offloaded).toBe(true);
    expect(tokens).toBeLessThan(900);
    expect(content).toContain('line 0 ok');
    expect(content).toContain('ERROR: disk on fire');
    expect(content).toContain('line 1499 ok');
    const uri = /ctx:\/\/outputs\/[A-Za-z0-9_-]+/.exec(content)?.[0] ?? '';
    expect((await store.outputs.load({ id: outputIdOf(uri) }))?.result).toBe(log);
  });

  it('counts what the preview leaves out exactly', async () => {
    const store = await openMemory();
    const { content } = await recordToolOutput(store, { ...call, result: log });
    const body = content.split('\n').slice(1, -1);
    const gaps = body.map((line) => /^\[… (\d+) lines …\]$/.exec(line)?.[1]);
    const hidden = gaps.reduce((sum, gap) => sum + Number(gap ?? 0), 0);
    const shown = gaps.filter((gap) => gap === undefined).length;
    expect(hidden + shown).toBe(1500);
  });

  it('does not offload a file read, unless it is huge', async () => {
    const store = await openMemory();
    const read = { sessionId: 's', toolName: 'Read', args: { file_path: 'a.log' }, result: log };
    expect((await recordToolOutput(store, read)).offloaded).toBe(false);
    const strict = await recordToolOutput(store, read, { fileReadsUpToTokens: 2000 });
    expect(strict.offloaded).toBe(true);
  });

  it('cuts a long line instead of showing it whole', async () => {
    const store = await openStore(memoryBackend(), { tokenCounter: (text) => text.length / 4 });
    const { content, offloaded } = await recordToolOutput(store, {
      ...call,
      result: 'x'.repeat(1e6),
    });
    expect(offloaded).toBe(true);
    expect(content.length).toBeLessThan(2000);
    expect(content).toContain('999600 more characters');
  });

  it('gives the same text for the same output', async () => {
    const text = async () => {
      const store = await openStore(memoryBackend(), {
        clock: () => 1,
        ids: () => 'r',
        tokenCounter: words,
      });
      return (await recordToolOutput(store, { ...call, result: log })).content;
    };
    expect(await text()).toBe(await text());
  });

  it('refuses a policy that makes no sense before anything is stored', async () => {
    const store = await openMemory();
    const recorded = recordToolOutput(store, { ...call, result: 'x' }, { previewTokens: 5000 });
    await expect(recorded).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    expect((await store.outputs.tally()).outputs).toBe(0);
  });
});
