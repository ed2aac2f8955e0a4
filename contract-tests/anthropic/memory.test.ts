import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import { createContextManager } from '@ctx/agent-adapter';
import { drive, openMemory } from '@ctx/agent-adapter/anthropic';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { bundleProgram, inFolder, startProgram } from '../child-program.ts';
import { durableKinds, openDurableStore } from '../open-durable-store.ts';
import { type Answer, scriptedClient, type WireBlock } from './scripted-server.ts';

const path = '/memories/log.md';
const lines = Array.from({ length: 10 }, (_, index) => `line ${String(index)}`);

describe.each([...durableKinds, 'memory'] as const)('the memory tool on %s', (kind) => {
  it('keeps 10 of 10 lines that are inserted at the same time', async () => {
    await inFolder(async (folder) => {
      const opening =
        kind === 'memory' ? openStore(memoryBackend()) : openDurableStore(kind, folder);
      const store = await opening;
      const tool = betaMemoryTool(openMemory(store).handlers);
      await tool.run({ command: 'create', path, file_text: '' });
      await Promise.all(
        lines.map(async (line) =>
          tool.run({ command: 'insert', path, insert_line: 0, insert_text: line }),
        ),
      );
      const text = (await openMemory(store).read(path)) ?? '';
      expect(text.split('\n').filter(Boolean).toSorted()).toEqual(lines);
      await store.close();
    });
  });
});

describe.each(durableKinds)('the memory tool on %s, in three processes', (kind) => {
  it('loses no line, and nothing is left half done', { timeout: 60_000 }, async () => {
    const program = await bundleProgram(new URL('insert-lines-child.ts', import.meta.url));
    await inFolder(async (folder) => {
      const store = await openDurableStore(kind, folder);
      await openMemory(store).write(path, '');
      await store.close();
      const children = ['a', 'b', 'c'].map((name) =>
        startProgram(program, [kind, folder, name, '5']),
      );
      await Promise.all(children.map(({ ended }) => ended));
      for (const child of children) expect(child.lines.at(-1)).toBe('done');
      const after = await openDurableStore(kind, folder);
      const memory = openMemory(after);
      const text = (await memory.read(path)) ?? '';
      expect(text.split('\n').filter(Boolean)).toHaveLength(15);
      expect(await memory.use()).toMatchObject({ files: 1, changes: 16 });
      expect(await memory.versions(path)).toHaveLength(16);
      await after.close();
    });
  });
});

describe('the reference of the SDK', () => {
  it('loses lines that are inserted at the same time: that is the defect', async () => {
    await inFolder(async (folder) => {
      const tool = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder));
      await tool.run({ command: 'create', path, file_text: '' });
      await Promise.all(
        lines.map(async (line) =>
          tool.run({ command: 'insert', path, insert_line: 0, insert_text: line }),
        ),
      );
      const text = await readFile(join(folder, 'memories/log.md'), 'utf8');
      expect(text.split('\n').filter(Boolean).length).toBeLessThan(10);
    });
  });

  it('gives the same answers where both can do what is asked', async () => {
    await inFolder(async (folder) => {
      const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder));
      const ours = betaMemoryTool(openMemory(await openStore(memoryBackend())).handlers);
      const commands = [
        { command: 'create', path, file_text: 'one\ntwo\nthree\n' },
        { command: 'create', path, file_text: '' },
        { command: 'view', path },
        { command: 'view', path, view_range: [2, 3] },
        { command: 'str_replace', path, old_str: 'two', new_str: '2 $&' },
        { command: 'str_replace', path, old_str: 'none', new_str: '' },
        { command: 'str_replace', path, old_str: 'e', new_str: '' },
        { command: 'insert', path, insert_line: 1, insert_text: 'new\n' },
        { command: 'insert', path, insert_line: 99, insert_text: 'new' },
        { command: 'view', path },
        { command: 'view', path: '/memories/none' },
        { command: 'create', path: '/memories/a/b.md', file_text: 'b' },
        { command: 'rename', old_path: '/memories/a/b.md', new_path: path },
        { command: 'rename', old_path: '/memories/a/b.md', new_path: '/memories/c.md' },
        { command: 'delete', path: '/memories' },
        { command: 'rename', old_path: '/memories', new_path: '/memories/x' },
        { command: 'delete', path: '/memories/c.md' },
        { command: 'view', path },
      ] as const;
      const answer = async (tool: typeof ours, index: number): Promise<unknown> => {
        const command = commands[index];
        try {
          return await tool.run((typeof command === 'object' ? { ...command } : {}) as never);
        } catch (error) {
          return error instanceof Error ? error.message : error;
        }
      };
      for (const index of commands.keys()) {
        expect(await answer(ours, index)).toEqual(await answer(theirs, index));
      }
      // Its folder can be taken over, and be given back.
      const memory = openMemory(await openStore(memoryBackend()));
      expect(await memory.importFrom(join(folder, 'memories'))).toMatchObject({ files: 1 });
      await memory.exportTo(join(folder, 'again/memories'));
      const again = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(join(folder, 'again')));
      const view = { command: 'view', path } as const;
      expect(await again.run(view)).toEqual(await ours.run(view));
    });
  });
});

it('works under the SDK’s runner: errors reach the model as text', async () => {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's', model: 'claude-opus-5' });
  const inputs = [
    { command: 'view', path: '/etc/passwd' },
    { command: 'create', path, file_text: 'remember this' },
    { command: 'view', path },
  ];
  const { client, requests } = scriptedClient((_request, count): Answer => {
    const input = inputs[count - 1];
    if (input === undefined) {
      return { content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' };
    }
    const content = [{ type: 'tool_use', id: `c${String(count)}`, name: 'memory', input }];
    return { content, stop_reason: 'tool_use' };
  });
  const params = {
    ...{ model: 'claude-opus-5', max_tokens: 100 },
    tools: [betaMemoryTool(openMemory(store).handlers)],
    messages: [{ role: 'user' as const, content: 'What do you know?' }],
  };
  for await (const message of drive(manager, params, (fitting) =>
    client.beta.messages.toolRunner(fitting),
  )) {
    expect(message.role).toBe('assistant');
  }
  const results = (requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  );
  const texts = results.map((block: WireBlock) => JSON.stringify(block.content));
  expect(texts[0]).toMatch(/Path must start with \/memories/);
  expect(results[0]).toMatchObject({ is_error: true });
  expect(texts[1]).toMatch(/File created successfully/);
  expect(texts[2]).toMatch(/remember this/);
});
