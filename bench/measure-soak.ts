/**
 * Keeps a server over SQLite at work: 50 clients with mixed requests, 50 readers of live events that break off and come back 20
 * times. Prints room and heap (behind a collection) in steps, and fails on a heap that grows by more than 1 MB a minute, on more
 * than 250 MB, on an answer that is not expected, and on an event that is lost or comes twice.
 * Run: `npm run bench -- soak [--minutes 10] [--pause 100] [--json]`.
 */

import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startChild, type Taken } from './server/child-server.ts';
import { newestEvent, type Reading, readAll } from './soak/live-readers.ts';
import { type Answers, workAll } from './soak/rest-clients.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    pause: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});

const clients = 50;
const reconnects = 20;
const mebibyte = 1_048_576;
const mostRss = 250 * mebibyte;
/** MB a minute. */
const mostSlope = 1;
/** From so many minutes on a slope says something: a server that just began still compiles and fills its caches. */
const leastMinutes = 5;

const totalMs = Number(values.minutes) * 60_000;
const steps = Math.max(10, Math.ceil(Number(values.minutes)));

interface Step extends Taken {
  readonly minute: number;
  readonly requests: number;
}

/** Least squares, MB a minute, over the later two thirds. */
function slopeOf(points: readonly Step[], of: (step: Step) => number): number {
  const later = points.slice(Math.floor(points.length / 3));
  const mean = (numbers: readonly number[]): number =>
    numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const x = mean(later.map(({ minute }) => minute));
  const y = mean(later.map(of));
  const over = later.reduce((sum, step) => sum + (step.minute - x) * (of(step) - y), 0);
  const under = later.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  return over / under / mebibyte;
}

/** Waits until every reader has the newest event, or none has got one for ten seconds; on a busy machine the way is long. */
async function untilAllRead({ last }: Reading, wanted: number): Promise<number> {
  const read = (): number => last.reduce((sum, one) => sum + one, 0);
  let before = -1;
  for (let rest = 0; rest < 100 && last.some((one) => one < wanted); rest += 1) {
    if (read() > before) rest = 0;
    before = read();
    await sleep(100);
  }
  return last.filter((one) => one < wanted).length;
}

const folder = mkdtempSync(join(tmpdir(), 'ctx-soak-'));
const program = fileURLToPath(new URL('./server/ctx-server.js', import.meta.url));
const server = await startChild(program, { args: [folder] });
const [resting, leaving] = [new AbortController(), new AbortController()];
setMaxListeners(0, resting.signal, leaving.signal);
const answers: Answers = { requests: 0, unexpected: new Map() };
const reading: Reading = { last: [], wrong: 0, reconnects: 0 };
const working = workAll(
  { server, clients, pauseMs: Number(values.pause), signal: resting.signal },
  answers,
);
const keepMs = totalMs / reconnects;
const following = readAll({ server, readers: clients, keepMs, signal: leaving.signal }, reading);

const taken: Step[] = [];
for (let step = 1; step <= steps; step += 1) {
  await sleep(totalMs / steps);
  const minute = (totalMs * step) / steps / 60_000;
  const now = { ...(await server.taken()), minute, requests: answers.requests };
  taken.push(now);
  if (values.json) continue;
  const sizes = `rss ${(now.rss / mebibyte).toFixed(1)} MB, heap ${(now.heap / mebibyte).toFixed(1)} MB`;
  console.log(
    `${minute.toFixed(1).padStart(5)} min  ${sizes}, ${String(now.requests)} requests, ${String(reading.reconnects)} reconnects`,
  );
}
resting.abort();
await working;
const behind = await untilAllRead(reading, await newestEvent(server));
leaving.abort();
await following;
await server.stop();
rmSync(folder, { recursive: true });

const heapSlope = slopeOf(taken, ({ heap }) => heap);
const rss = Math.max(...taken.map((step) => step.rss));
const isLong = Number(values.minutes) >= leastMinutes;
const failures = [
  ...(isLong && heapSlope > mostSlope
    ? [`the heap grows by ${heapSlope.toFixed(2)} MB a minute`]
    : []),
  ...(rss > mostRss ? [`${(rss / mebibyte).toFixed(0)} MB are too much`] : []),
  ...[...answers.unexpected].map(([name, count]) => `${String(count)} × ${name}`),
  ...(reading.wrong > 0 ? [`${String(reading.wrong)} events lost or doubled`] : []),
  ...(behind > 0 ? [`${String(behind)} readers without the newest event`] : []),
];
const summary = {
  minutes: Number(values.minutes),
  requests: answers.requests,
  events: Math.max(...reading.last),
  reconnects: reading.reconnects,
  mostRssMB: rss / mebibyte,
  heapSlopeMBPerMinute: heapSlope,
  rssSlopeMBPerMinute: slopeOf(taken, (step) => step.rss),
  failures,
};
if (values.json) console.log(JSON.stringify({ ...summary, taken }, null, 2));
else {
  console.log(
    `${String(summary.requests)} requests, ${String(summary.events)} events to each of ${String(clients)} readers, heap ${heapSlope.toFixed(2)} MB a minute, most ${summary.mostRssMB.toFixed(0)} MB`,
  );
  for (const failure of failures) console.log(`failed: ${failure}`);
}
process.exitCode = failures.length === 0 ? 0 : 1;
