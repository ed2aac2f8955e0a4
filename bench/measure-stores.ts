/**
 * Saving and reading tool outputs on each store beside the raw driver and raw files, and tier queries over many items, in one run.
 * Run: `npm run bench:stores [-- --json --items 1000000 --folder DIR]`. Takes about two minutes with 1,000,000 items.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ContextStore, memoryBackend, openStore } from '@ctx/core';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { readRawFile, saveRawFile } from './stores/raw-files.ts';
import { openRawSqlite } from './stores/raw-sqlite.ts';
import { measureTiers } from './stores/tiers.ts';
import { type Timing, timeInTurn } from './stores/timing.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    items: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
    saves: { type: 'string', default: '300' },
  },
});

/** 32 KB of different words, another text each time, so that nothing is shared or compressed away. */
function textOf(index: number): string {
  let state = index + 1;
  const words: string[] = [];
  for (let word = 0; word < 4600; word += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    words.push(state.toString(36));
  }
  return words.join(' ').slice(0, 32_768);
}

type StoreName = 'memory' | 'sqlite' | 'fs';

async function measureOutputs(folder: string, saves: number) {
  // No memory of small outputs: every read goes to the store.
  const outputs = { cacheTotalBytes: 0 };
  const tokenCounter = (text: string): number => text.length;
  const options = { outputs, tokenCounter };
  mkdirSync(join(folder, 'raw'));
  const raw = openRawSqlite(join(folder, 'raw.db'));
  const stores: Record<StoreName, ContextStore> = {
    memory: await openStore(memoryBackend(), options),
    sqlite: await openSqliteStore({ path: join(folder, 'ctx.db'), ...options }),
    fs: await openFsStore({ path: join(folder, 'ctx'), ...options }),
  };
  const ids: Record<StoreName, string[]> = { memory: [], sqlite: [], fs: [] };
  const bodyOf = (index: number): string =>
    JSON.stringify({ toolName: 'Bash', args: { index }, result: textOf(index) });
  const saveTo = (name: StoreName) => async (index: number) => {
    const input = { sessionId: 's', toolName: 'Bash', args: { index }, result: textOf(index) };
    ids[name].push((await stores[name].outputs.save(input)).pointer.id);
  };
  const loadFrom = (name: StoreName) => async (index: number) => {
    const output = await stores[name].outputs.load({ sessionId: 's', id: ids[name][index] ?? '' });
    if (typeof output?.result !== 'string') throw new Error(`${name} lost an output`);
  };
  const pointerFrom = (name: StoreName) => async (index: number) => {
    await stores[name].outputs.pointer({ sessionId: 's', id: ids[name][index] ?? '' });
  };
  const save = await timeInTurn(saves, {
    'raw sqlite': (index) => {
      raw.save(String(index), bodyOf(index));
    },
    sqlite: saveTo('sqlite'),
    'raw files': (index) => {
      saveRawFile(join(folder, 'raw'), `${String(index)}.json`, bodyOf(index));
    },
    fs: saveTo('fs'),
    memory: saveTo('memory'),
  });
  const read = await timeInTurn(saves, {
    'raw sqlite': (index) => void raw.read(String(index)),
    sqlite: loadFrom('sqlite'),
    'raw files': (index) => void readRawFile(join(folder, 'raw'), `${String(index)}.json`),
    fs: loadFrom('fs'),
    memory: loadFrom('memory'),
  });
  const pointer = await timeInTurn(saves, {
    sqlite: pointerFrom('sqlite'),
    fs: pointerFrom('fs'),
    memory: pointerFrom('memory'),
  });
  raw.close();
  for (const store of Object.values(stores)) await store.close();
  return { save, read, pointer };
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'ctx-bench-'));
const show = ({ p50, p99 }: Timing): string => `p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`;
try {
  const outputs = await measureOutputs(folder, Number(values.saves));
  const tiers = await measureTiers(folder, Number(values.items));
  const ratio = (timings: Record<string, Timing>, name: string, base: string): number =>
    Number(((timings[name]?.p50 ?? 0) / (timings[base]?.p50 ?? 1)).toFixed(2));
  const ratios = {
    saveSqlite: ratio(outputs.save, 'sqlite', 'raw sqlite'),
    saveFs: ratio(outputs.save, 'fs', 'raw files'),
    readSqlite: ratio(outputs.read, 'sqlite', 'raw sqlite'),
    readFs: ratio(outputs.read, 'fs', 'raw files'),
    hot100: ratio({ ctx: tiers.hot100, raw: tiers.rawHot100 }, 'ctx', 'raw'),
  };
  if (values.json) {
    console.log(JSON.stringify({ outputs, tiers, ratios }, null, 2));
  } else {
    for (const [what, timings] of Object.entries(outputs)) {
      for (const [name, timing] of Object.entries(timings)) {
        console.log(`${what.padEnd(8)} ${name.padEnd(11)} ${show(timing)}`);
      }
    }
    console.log(`items ${String(tiers.items)}, inserted in ${tiers.insertSeconds.toFixed(1)} s`);
    console.log(`hot 100  ctx         ${show(tiers.hot100)}`);
    console.log(`hot 100  raw driver  ${show(tiers.rawHot100)}`);
    console.log(`tally of all tiers   ${show(tiers.tally)}`);
    console.log('p50 relative to raw:', ratios);
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
