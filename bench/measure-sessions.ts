/**
 * Loading, changing and saving a typical session on each store beside raw JSON with fsync, and the planning of compactions.
 * Run: `npm run bench -- sessions [--json] [--rounds 200] [--folder DIR]`. Takes about ten seconds.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { planSessionCompaction } from '@ctx/compactor';
import type { ContextStore } from '@ctx/store';
import { emptySessionDocument, type SessionDocument } from '@ctx/store';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { approximateTokens } from '@ctx/tokens/approximate';
import { historyOf, typicalSession } from './sessions/typical-session.ts';
import { readRawFile, saveRawFile } from './stores/raw-files.ts';
import { type Timing, timeEach, timeInTurn, timeProcessor } from './stores/timing.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '200' },
    bytes: { type: 'string', default: '100000' },
    folder: { type: 'string' },
  },
});

/** The next state of a session: one fact more or less, so that every save has something new. */
function changed(document: SessionDocument, round: number): SessionDocument {
  return { ...document, facts: [...document.facts.slice(0, 40), `Round ${String(round)}`] };
}

/** Loads, changes and saves as a caller does: by `update`, which no other writer gets between. */
function onStore(store: ContextStore): (round: number) => Promise<void> {
  return async (round) => {
    await store.sessions.update('typical', (session) => ({
      ...session,
      document: changed(session.document, round),
    }));
  };
}

async function measureSaves(folder: string, rounds: number): Promise<Record<string, Timing>> {
  const document = typicalSession('typical', Number(values.bytes));
  const raw = join(folder, 'raw');
  mkdirSync(raw);
  saveRawFile(raw, 'typical.json', JSON.stringify(document));
  const fs = await openFsStore({ path: join(folder, 'fs') });
  const sqlite = await openSqliteStore({ path: join(folder, 'ctx.db'), durability: 'power' });
  const loose = await openSqliteStore({ path: join(folder, 'loose.db') });
  for (const store of [fs, sqlite, loose]) {
    await store.sessions.update('typical', (session) => ({ ...session, document }));
  }
  const timings = await timeInTurn(rounds, {
    'raw JSON and fsync': (round) => {
      // The very document that the stores hold: checked when it was made.
      const read = readRawFile(raw, 'typical.json') as SessionDocument;
      saveRawFile(raw, 'typical.json', JSON.stringify(changed(read, round)));
    },
    fs: onStore(fs),
    'sqlite, power': onStore(sqlite),
    'sqlite, process': onStore(loose),
  });
  await Promise.all([fs.close(), sqlite.close(), loose.close()]);
  return timings;
}

async function measurePlans(rounds: number): Promise<Record<string, Timing>> {
  const facts = Array.from({ length: 200 }, (_, at) => `The module ${String(at)} is ready`);
  const documentOf = (isCounted: boolean, characters: number): SessionDocument => ({
    ...emptySessionDocument('plan'),
    facts,
    recent_history: historyOf(10_000, characters, isCounted),
  });
  const [counted, bare] = [documentOf(true, 200), documentOf(false, 200)];
  const options = { countTokens: approximateTokens, now: 1_708_740_000_000 };
  const wide = { ...options, policy: { maxEntries: 20_000, keepEntries: 20_000 } };
  const plan = (document: SessionDocument, how: typeof options) => () => {
    if (planSessionCompaction(document, how) === undefined) throw new Error('nothing was planned');
  };
  return {
    'by entries, tokens recorded': await timeEach(rounds, plan(counted, options)),
    'by entries, no tokens recorded': await timeEach(rounds, plan(bare, options)),
    'by tokens, recorded': await timeEach(rounds, plan(counted, wide)),
    'by entries, processor time': await timeProcessor(rounds, plan(counted, options)),
    'no tokens, processor time': await timeProcessor(rounds, plan(bare, options)),
    'by tokens, processor time': await timeProcessor(rounds, plan(counted, wide)),
  };
}

const show = ({ p50, p99 }: Timing): string => `p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`;

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'ctx-bench-'));
try {
  const rounds = Number(values.rounds);
  const saves = await measureSaves(folder, rounds);
  const plans = await measurePlans(rounds);
  const base = saves['raw JSON and fsync']?.p50 ?? Number.NaN;
  const ratios = Object.fromEntries(
    Object.entries(saves).map(([name, { p50 }]) => [name, Number((p50 / base).toFixed(2))]),
  );
  if (values.json) console.log(JSON.stringify({ saves, plans, ratios }, null, 2));
  else {
    console.log(`load, change and save a session of ${values.bytes} bytes (goal: 1.5 × raw)`);
    for (const [name, timing] of Object.entries(saves)) {
      console.log(`${name.padEnd(20)} ${show(timing)}  ${String(ratios[name] ?? '')} × raw`);
    }
    console.log('plan the compaction of 10,000 entries (goal: 10 ms)');
    for (const [name, timing] of Object.entries(plans))
      console.log(`${name.padEnd(32)} ${show(timing)}`);
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
