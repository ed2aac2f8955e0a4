/**
 * What items cost where one agent has very many of them in SQLite: loading HOT, counts, saves and reads, beside the driver alone on
 * the same file, first alone and then while a second process writes.
 * Run: `npm run bench -- items [--json] [--items 1000000] [--folder DIR] [--pause 5]`. Takes about four minutes with 1,000,000
 * items. The file stays in a folder that is named, and is taken again by the next run.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fillItems } from './items/fill-items.ts';
import { type ItemTimings, measureItems } from './items/measure-calls.ts';
import { startSecondWriter, writeUntilTold } from './items/second-writer.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    items: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
    /** Pause of the second writer between two saves, ms. */
    pause: { type: 'string', default: '5' },
    times: { type: 'string', default: '500' },
    /** Set by this program itself: the second process. */
    write: { type: 'string' },
  },
});

function show({ p50, p99 }: { readonly p50: number; readonly p99: number }): string {
  return `p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`;
}

function print(what: string, timings: ItemTimings): void {
  console.log(what);
  for (const [name, { ctx, raw }] of Object.entries(timings)) {
    const ratio = (ctx.p50 / raw.p50).toFixed(2);
    console.log(`  ${name.padEnd(18)} ctx ${show(ctx)}; raw ${show(raw)}; ratio ${ratio}`);
  }
}

async function measure(folder: string): Promise<void> {
  const path = join(folder, 'items.db');
  const now = Date.UTC(2026, 5, 1);
  const items = Number(values.items);
  const times = Number(values.times);
  const insertSeconds = existsSync(path) ? 0 : await fillItems(path, items, now);
  const alone = await measureItems(path, { now, items, times });
  const program = fileURLToPath(import.meta.url);
  const writer = await startSecondWriter(program, ['--write', path, '--pause', values.pause]);
  const beside = await measureItems(path, { now, items, times });
  const savedBeside = await writer.stop();
  const report = { items, insertSeconds, alone, beside, savedBeside };
  if (values.json) {
    console.log(JSON.stringify(report, null, 2));
    return;
  }
  console.log(`items ${String(items)}, inserted in ${insertSeconds.toFixed(1)} s`);
  print('alone', alone);
  print(`while another process writes (${String(savedBeside)} saves meanwhile)`, beside);
}

if (values.write === undefined) {
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'ctx-bench-'));
  try {
    await measure(folder);
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
} else {
  await writeUntilTold(values.write, Number(values.pause));
}
