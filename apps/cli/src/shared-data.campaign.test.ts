import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message, ToolResultBlock } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { type ContextStore, openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { approximateTokens } from '@ctx/tokens/approximate';
import {
  readTranscript,
  restoreEvent,
  storedEventOf,
  type TranscriptEvent,
  writeTranscript,
} from '@ctx/transcripts';
import { importFound } from '@ctx/transcripts/import';
import { describe, expect, it } from 'vitest';
import { makeFolder } from './test-support/sample-transcripts.ts';

const root =
  process.env['CTX_SHARED_DATA'] ??
  join(fileURLToPath(new URL('../../..', import.meta.url)), '../shared/data');

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const files = ['transcripts', 'native'].flatMap((folder) => filesIn(join(root, folder)));

/** The text of a result as a model reads it. */
function textOf({ content }: ToolResultBlock): string {
  if (content.every((block) => block.type === 'text'))
    return content.map(({ text }) => text).join('\n');
  return outputText(content);
}

function resultsOf(message: Message | undefined): ToolResultBlock[] {
  return message?.content.filter((block) => block.type === 'tool_result') ?? [];
}

async function checkFile(store: ContextStore, path: string): Promise<number> {
  const [entry] = await importFound(
    store,
    { path },
    {
      redact: 'off',
      countTokens: approximateTokens,
      signal: new AbortController().signal,
    },
  );
  if (entry === undefined) throw new Error(`nothing was imported from ${path}`);
  const sessionId = entry.session ?? '';
  const { events } = await readTranscript(new Uint8Array(readFileSync(path)));
  const restored: TranscriptEvent[] = [];
  let results = 0;
  for await (const { payload } of store.events.read(sessionId)) {
    const stored = storedEventOf(payload);
    if (stored === undefined) continue;
    const original = events[restored.length];
    const blocks = resultsOf(original?.message);
    for (const [index, { output }] of stored.results.entries()) {
      const block = blocks[index];
      const loaded = await store.outputs.load({ id: output });
      if (block === undefined || outputText(loaded?.result) !== textOf(block)) {
        throw new Error(`${path}: output ${output} is not what the tool returned`);
      }
      results += 1;
    }
    restored.push(await restoreEvent(store, sessionId, stored));
  }
  // Undefined members are no JSON and do not come back.
  expect(restored).toEqual(JSON.parse(JSON.stringify(events)));
  if (entry.format === 'anthropic') {
    const { bytes } = await writeTranscript(restored, { format: 'anthropic' });
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(
      JSON.parse(readFileSync(path, 'utf8')),
    );
  }
  expect(results).toBe(events.flatMap(({ message }) => resultsOf(message)).length);
  return results;
}

/** Skipped where the real data is not at hand: set CTX_SHARED_DATA to its folder. */
describe.skipIf(files.length === 0)('real transcripts', () => {
  it.each<[string, (folder: string) => StoreBackend]>([
    ['sqlite', (folder) => sqliteBackend({ path: join(folder, 'ctx.db') })],
    ['fs', (folder) => fsBackend({ path: folder, durability: 'process' })],
  ])(
    'go into %s with nothing lost: every event and every output comes back',
    async (_name, create) => {
      const store = await openStore(create(makeFolder()));
      let results = 0;
      for (const path of files) results += await checkFile(store, path);
      await store.close();
      expect(results).toBeGreaterThan(1000);
    },
    900_000,
  );
});
