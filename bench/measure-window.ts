/**
 * The window manager: time of a request beside re-counting the list, work and memory as a session grows, and the time to open a
 * stored session again.
 * Run: `npm run bench -- window [--json] [--turns 10000]`. Takes about three minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Message } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { messageCounter, openTokenCounter } from '@ctx/tokens';
import { approximateTokens } from '@ctx/tokens/approximate';
import {
  describeCall,
  openSessionWindow,
  openWindow,
  previewTexts,
  type Window,
  windowModes,
  windowPolicy,
} from '@ctx/truncation';

const wordsPerResult = 330;

/** About 500 tokens that differ from turn to turn. */
function resultText(turn: number): string {
  const words = Array.from(
    { length: wordsPerResult },
    (_, word) => `value${String((turn * 7919 + word) % 9973)}`,
  );
  return words.join(separatorOf(turn));
}

/** Some results are one line, some are many. */
const separatorOf = (turn: number): string => (turn % 2 === 0 ? ' ' : '\n');

/** A call and its result: one turn of an agent. */
function turnOf(turn: number): Message[] {
  const id = `call${String(turn)}`;
  const input =
    turn % 3 === 0 ? { path: `src/file${String(turn % 40)}.ts` } : { pattern: `p${String(turn)}` };
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: turn % 3 === 0 ? 'Read' : 'Grep', input }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: resultText(turn) }] },
      ],
    },
  ];
}

const task: Message = { role: 'user', content: [{ type: 'text', text: 'Do it.' }] };

type WindowOptions = Parameters<typeof openWindow>[0];

function optionsOf(changes: Partial<WindowOptions> = {}): WindowOptions {
  return {
    policy: windowModes.default,
    price: { read: 0.1, write: 1.25, lifetimeMs: 300_000 },
    windowTokens: 128_000,
    fixedTokens: 3000,
    tokensOf: messageCounter({ counter: approximateTokens }),
    previewText: previewTexts(),
    describeCall,
    ...changes,
  };
}

function insertTurn(window: Window, turn: number): void {
  for (const message of turnOf(turn)) window.insert(message);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Time of one request with so many tokens in view, and of counting all that it holds anew. */
function measureRequest(viewTokens: number) {
  const policy = windowPolicy('default', { patience: 1e9 });
  const window = openWindow(optionsOf({ policy, windowTokens: 2 * viewTokens }));
  window.insert(task);
  let turn = 0;
  for (; window.request(turn).tokens < viewTokens; turn += 1) insertTurn(window, turn);
  const exact = messageCounter({ counter: openTokenCounter() });
  const quick = messageCounter({ counter: approximateTokens });
  const sum = (count: (message: Message) => number, messages: readonly Message[]): number =>
    messages.reduce((total, message) => total + count(message), 0);
  const times = { request: [0], turn: [0], recountQuick: [0], recountExact: [0] };
  for (let round = 0; round < 200; round += 1, turn += 1) {
    const inserted = timed(() => {
      insertTurn(window, turn);
    });
    const asked = timed(() => window.request(turn));
    times.request.push(asked);
    times.turn.push(inserted + asked);
    if (round % 10 > 0) continue;
    const messages = window.view();
    times.recountQuick.push(timed(() => sum(quick, messages)));
    times.recountExact.push(timed(() => sum(exact, messages)));
  }
  const [requestMs, turnMs] = [median(times.request), median(times.turn)];
  const [quickMs, exactMs] = [median(times.recountQuick), median(times.recountExact)];
  const messages = window.view().length;
  return { viewTokens, messages, requestMs, turnMs, quickMs, exactMs, ratio: quickMs / requestMs };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

const megabyte = 1024 * 1024;

/** Work and memory at some turns of one long session. */
function measureGrowth(turns: number) {
  const window = openWindow(optionsOf());
  window.insert(task);
  const rows = [];
  let last = { turn: 0, steps: 0 };
  collectGarbage();
  const heapBefore = process.memoryUsage().heapUsed;
  const start = performance.now();
  for (let turn = 1; turn <= turns; turn += 1) {
    insertTurn(window, turn);
    if (turn % 20 === 0)
      window.insert({ role: 'user', content: [{ type: 'text', text: `Next: ${String(turn)}` }] });
    const { tokens } = window.request(turn * 20_000);
    if (turn !== 100 && turn !== 1000 && turn % (turns / 2) !== 0) continue;
    collectGarbage();
    rows.push({
      turn,
      stepsPerTurn: (window.steps - last.steps) / (turn - last.turn),
      viewTokens: tokens,
      heapMb: (process.memoryUsage().heapUsed - heapBefore) / megabyte,
    });
    last = { turn, steps: window.steps };
  }
  return { rows, msPerTurn: (performance.now() - start) / turns };
}

/** A store that can be opened again. */
interface StorePlace {
  readonly name: string;
  readonly open: () => Promise<ContextStore>;
}

/** Time of a turn that is kept, and of opening the session again. */
async function measureStored({ name, open }: StorePlace, turns: number) {
  const store = await open();
  const window = await openSessionWindow({ store, sessionId: 's', windowTokens: 128_000 });
  await window.insert(task);
  const start = performance.now();
  for (let turn = 1; turn <= turns; turn += 1) {
    await window.insert(turnOf(turn));
    await window.request(turn * 20_000);
  }
  const msPerTurn = (performance.now() - start) / turns;
  const before = JSON.stringify(window.view());
  await window.close();
  await store.close();
  const again = await open();
  const opening = performance.now();
  const cpuBefore = process.cpuUsage();
  const second = await openSessionWindow({ store: again, sessionId: 's' });
  const reopenMs = performance.now() - opening;
  const { user, system } = process.cpuUsage(cpuBefore);
  if (JSON.stringify(second.view()) !== before) throw new Error(`${name}: the view changed`);
  const events = second.next;
  await again.close();
  return { name, turns, events, msPerTurn, reopenMs, reopenCpuMs: (user + system) / 1000 };
}

async function measureStores(turns: number, folder: string) {
  const place = createMemoryPlace();
  const places: StorePlace[] = [
    { name: 'memory', open: () => openStore(memoryBackend({ place })) },
    { name: 'store-sqlite', open: () => openSqliteStore({ path: join(folder, 'ctx.db') }) },
    {
      name: 'store-fs',
      open: () => openFsStore({ path: join(folder, 'fs'), durability: 'process' }),
    },
  ];
  const rows = [];
  // A file for each event: a fifth of the turns is enough to see what one costs.
  for (const each of places) {
    rows.push(await measureStored(each, each.name === 'store-fs' ? turns / 5 : turns));
  }
  return rows;
}

async function main(): Promise<void> {
  const at = process.argv.indexOf('--turns');
  const turns = at < 0 ? 10_000 : Number(process.argv[at + 1]);
  const folder = mkdtempSync(join(tmpdir(), 'ctx-window-'));
  try {
    const request = measureRequest(200_000);
    const growth = measureGrowth(turns);
    const stores = await measureStores(turns, folder);
    if (process.argv.includes('--json')) {
      console.log(JSON.stringify({ node: process.version, request, growth, stores }, null, 2));
      return;
    }
    print(request, growth, stores);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(
  request: ReturnType<typeof measureRequest>,
  growth: ReturnType<typeof measureGrowth>,
  stores: Awaited<ReturnType<typeof measureStores>>,
): void {
  const ms = (value: number): string => `${value.toFixed(value < 10 ? 3 : 0)} ms`;
  console.log(
    `${String(request.viewTokens)} tokens, ${String(request.messages)} messages in view, medians of 200 turns:`,
  );
  console.log(
    `  request ${ms(request.requestMs)}, with the insertion of a turn ${ms(request.turnMs)}`,
  );
  console.log(
    `  counting the list anew: ${ms(request.quickMs)} by estimate, ${ms(request.exactMs)} by tiktoken (its cache warm)`,
  );
  console.log(`  ${request.ratio.toFixed(0)} times the request\n`);
  for (const { turn, stepsPerTurn, viewTokens, heapMb } of growth.rows) {
    console.log(
      `turn ${String(turn)}: ${stepsPerTurn.toFixed(1)} steps a turn, ${String(viewTokens)} tokens in view, ${heapMb.toFixed(1)} MB`,
    );
  }
  console.log(`${ms(growth.msPerTurn)} a turn, insertion, estimate and request together\n`);
  for (const { name, turns, events, msPerTurn, reopenMs, reopenCpuMs } of stores) {
    console.log(
      `${name}: ${ms(msPerTurn)} a turn kept; ${String(turns)} turns (${String(events)} events) open again in ${ms(reopenMs)}, ${ms(reopenCpuMs)} of the processor`,
    );
  }
}

await main();
