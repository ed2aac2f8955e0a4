import { createRedactor } from '@ctx/redact';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputIdOf } from './pointer-uri.ts';
import { recordToolOutput } from './record-tool-output.ts';

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const openMemory = () => openStore(memoryBackend(), { tokenCounter: words });

/** A line that no other is like, even without its number. */
const lineOf = (index: number): string =>
  `line ${String(index)} ${String(index).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;

const log = Array.from({ length: 1500 }, (_, index) =>
  index === 700 ? 'ERROR: disk on fire' : lineOf(index),
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
    expect(content).toContain(lineOf(0));
    expect(content).toContain('ERROR: disk on fire');
    expect(content).toContain(lineOf(1499));
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
    expect(content).toContain('1000000 characters in this line');
  });

  it('never leaves a preview that is larger than the result', async () => {
    const counts = [words, (text: string) => Math.ceil(text.length / 4)];
    const lines = fc.array(fc.constantFrom('', 'ok', 'ERROR: disk on fire', 'x'.repeat(900)));
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.constantFrom(...counts),
        fc.nat({ max: 60 }),
        async (list, tokenCounter, offloadFromTokens) => {
          const store = await openStore(memoryBackend(), { tokenCounter });
          const result = list.join('\n');
          const policy = {
            offloadFromTokens: offloadFromTokens + 1,
            previewTokens: offloadFromTokens,
          };
          const recorded = await recordToolOutput(store, { ...call, result }, policy);
          expect(recorded.tokens).toBeLessThanOrEqual(tokenCounter(result));
          if (!recorded.offloaded) expect(recorded.content).toBe(result);
        },
      ),
    );
  });

  it('keeps the preview within its size', async () => {
    const tokenCounter = (text: string): number => Math.ceil(text.length / 4);
    const store = await openStore(memoryBackend(), { tokenCounter });
    const result = Array.from({ length: 4000 }, (_, line) =>
      line % 100 === 50 ? `error ${'x'.repeat(150)}` : lineOf(line),
    ).join('\n');
    const { content } = await recordToolOutput(store, { ...call, result });
    const preview = content.split('\n').slice(1, -1).join('\n');
    expect(tokenCounter(preview)).toBeLessThanOrEqual(600);
    expect(tokenCounter(preview)).toBeGreaterThan(400);
  });

  it('counts lines as the pointer does where the last one ends in a line break', async () => {
    const store = await openMemory();
    const { content, receipt } = await recordToolOutput(store, { ...call, result: `${log}\n` });
    const body = content.split('\n').slice(1, -1);
    const gaps = body.map((line) => Number(/^\[… (\d+) lines …\]$/.exec(line)?.[1] ?? 1));
    expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBe(receipt.pointer.lines);
    expect(body.at(-1)).toBe(lineOf(1499));
  });

  it('shows no secret, even where the output is cleared at once', async () => {
    const redactor = createRedactor();
    const secret = 'ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789';
    const store = await openStore(memoryBackend(), { redactor });
    const kept = await recordToolOutput(store, { ...call, result: `token ${secret}` });
    expect(kept.content).toContain('[redacted: ');
    const clearing: ContextStore = {
      ...store,
      outputs: {
        ...store.outputs,
        save: async (input) => {
          const receipt = await store.outputs.save(input);
          await store.outputs.clear(input.sessionId);
          return receipt;
        },
      },
    };
    const cleared = await recordToolOutput(clearing, { ...call, result: `token ${secret}` });
    expect(cleared.content).toContain('[redacted: ');
    expect(cleared.content).not.toContain(secret);
  });

  it('says what was stored, whatever the caller does to the result meanwhile', async () => {
    const store = await openMemory();
    const result = { lines: ['one'] };
    const recording = recordToolOutput(store, { ...call, result });
    result.lines.push('two');
    const { content, receipt } = await recording;
    expect(JSON.parse(content)).toEqual({ lines: ['one'] });
    expect((await store.outputs.load(receipt.pointer))?.result).toEqual({ lines: ['one'] });
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
    await expect(recorded).rejects.toMatchObject({ code: 'CTX_INVALID_OPTION' });
    expect((await store.outputs.tally()).outputs).toBe(0);
  });
});
