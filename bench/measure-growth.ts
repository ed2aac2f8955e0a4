/**
 * What each public call asks of its store, and of the processor, as a session grows to 10,000 turns and a store to 1,000,000 outputs:
 * calls of the backend, records read and written, characters counted to tokens, and milliseconds of the processor, medians. What grows
 * more than `--flat` times from the last size but one to the last is named.
 * Run: `npm run bench -- growth [--json] [--turns 100,1000,10000] [--outputs 1,1000,100000,1000000] [--flat 1.5]`. The store is SQLite in a
 * temporary folder. Takes about half an hour as it stands.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sqliteBackend } from '@ctx/store-sqlite';
import { callsOfStores } from './growth/calls-of-stores.ts';
import { callsOfTurns } from './growth/calls-of-turns.ts';
import type { CallCost } from './growth/measure-calls.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '100,1000,10000' },
    outputs: { type: 'string', default: '1,1000,100000,1000000' },
    flat: { type: 'string', default: '1.5' },
  },
});

const numbersIn = (list: string): number[] => list.split(',').map(Number);

type Measured = ReadonlyMap<number, readonly CallCost[]>;

const measures = ['calls', 'recordsRead', 'recordsWritten', 'counted', 'cpuMs'] as const;

/** What a call takes at each size. */
function rowOf(call: string, measured: Measured) {
  const costs = [...measured.values()].flatMap(
    (all) => all.find((cost) => cost.call === call) ?? [],
  );
  return { call, costs };
}

/** The measures that grow. Under two operations, or half a millisecond, is no growth. */
function grownIn(costs: readonly CallCost[]): string[] {
  const [first, last] = [costs.at(-2), costs.at(-1)];
  if (first === undefined || last === undefined) return [];
  return measures.filter((name) => {
    const least = name === 'cpuMs' ? 0.5 : 2;
    return last[name] > Math.max(first[name], least) * Number(values.flat);
  });
}

function print(title: string, measured: Measured): void {
  const sizes = [...measured.keys()];
  console.log(
    `\n${title}: calls / records read / records written / characters counted / ms of the processor`,
  );
  console.log(`| call | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} | grows |`);
  console.log(`| --- |${' --: |'.repeat(sizes.length)} --- |`);
  const names = new Set([...measured.values()].flatMap((costs) => costs.map(({ call }) => call)));
  for (const { call, costs } of [...names].map((name) => rowOf(name, measured))) {
    const cells = costs.map((cost) =>
      measures.map((name) => cost[name].toFixed(name === 'cpuMs' ? 1 : 0)).join(' / '),
    );
    console.log(`| ${call} | ${cells.join(' | ')} | ${grownIn(costs).join(', ')} |`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'ctx-growth-'));
try {
  const backendAt = (name: string) => sqliteBackend({ path: join(folder, name) });
  const turns = await callsOfTurns(backendAt('turns.db'), numbersIn(values.turns));
  if (!values.json) print('By turns of one session', turns);
  const outputs = await callsOfStores(backendAt('outputs.db'), numbersIn(values.outputs));
  if (!values.json) print('By outputs, and items of one agent, in the store', outputs);
  if (values.json) {
    console.log(
      JSON.stringify({ turns: Object.fromEntries(turns), outputs: Object.fromEntries(outputs) }),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
