/**
 * Reading a long Claude Code log, and importing it into a SQLite store, beside a bare line reader with JSON.parse and beside the
 * least that storing its lines, or the same rows, can cost, each in a process of its own, in one run.
 * Run: `npm run bench -- transcripts [--json] [--megabytes 1000] [--rounds 3] [--imports approximate,exact]`. Takes about ten
 * minutes with 1,000 MB; `--imports none` reads only.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openTranscript } from '@ctx/transcripts';
import { insertIndexed } from './transcripts/insert-indexed.ts';
import { insertLines } from './transcripts/insert-lines.ts';
import { type ProcessCost, runFirstSearch, runImport } from './transcripts/run-import.ts';
import { writeSyntheticLog } from './transcripts/synthetic-log.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    megabytes: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    imports: { type: 'string', default: 'approximate' },
    reader: { type: 'string' },
    file: { type: 'string' },
  },
});

/** What one process measured. */
interface Run extends ProcessCost {
  readonly records: number;
}

async function readBare(path: string): Promise<number> {
  let records = 0;
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Infinity,
  })) {
    const value: unknown = JSON.parse(line);
    if (value !== null) records += 1;
  }
  return records;
}

async function readTranscript(path: string): Promise<number> {
  const transcript = await openTranscript(createReadStream(path, { highWaterMark: 256 * 1024 }));
  let records = 0;
  for await (const event of transcript.events) if (event.source.length > 0) records += 1;
  const { bad, quarantine } = transcript.receipt();
  if (quarantine.length > 0) throw new Error(`records that do not read: ${JSON.stringify(bad)}`);
  return records;
}

const readers: Readonly<Record<string, (path: string) => Promise<number>>> = {
  bare: readBare,
  ctx: readTranscript,
  insert: (path) => insertLines(path, `${path}.db`),
  rows: (path) => insertIndexed(path, `${path}.rows.db`, { hasWords: false }),
  indexed: (path) => insertIndexed(path, `${path}.indexed.db`),
};

async function runReader(reader: string, path: string): Promise<Run> {
  const start = performance.now();
  const records = (await readers[reader]?.(path)) ?? 0;
  const seconds = (performance.now() - start) / 1_000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpuSeconds = (userCPUTime + systemCPUTime) / 1_000_000;
  return { records, seconds, cpuSeconds, peakMb: maxRSS / 1_024 };
}

function runApart(reader: string, path: string): Run {
  const program = fileURLToPath(import.meta.url);
  const args = [program, '--reader', reader, '--file', path];
  // The process is this program itself.
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Run;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN;

interface BareCost {
  readonly bareCpu: number;
  readonly bareSeconds: number;
}

/** One process behind the other. */
const both = (first: ProcessCost, second: ProcessCost): ProcessCost => ({
  seconds: first.seconds + second.seconds,
  cpuSeconds: first.cpuSeconds + second.cpuSeconds,
  peakMb: Math.max(first.peakMb, second.peakMb),
});

/** What storing costs: the least, and an import for each way of counting tokens. */
function storingFigures(
  path: string,
  folder: string,
  { bareCpu, bareSeconds }: BareCost,
): Record<string, number> {
  const figures: Record<string, number> = {};
  const add = (name: string, { cpuSeconds, seconds, peakMb }: ProcessCost): void => {
    figures[`${name} cpuSeconds`] = Number(cpuSeconds.toFixed(2));
    figures[`${name} seconds`] = Number(seconds.toFixed(2));
    figures[`${name} speedOverBareByCpu`] = Number((bareCpu / cpuSeconds).toFixed(3));
    figures[`${name} speedOverBare`] = Number((bareSeconds / seconds).toFixed(3));
    figures[`${name} peakMb`] = Math.round(peakMb);
  };
  const counts = values.imports.split(',').filter((count) => count !== 'none');
  if (counts.length > 0) {
    add('insert', runApart('insert', path));
    add('rows by hand', runApart('rows', path));
    add('rows and full text by hand', runApart('indexed', path));
  }
  for (const count of counts) {
    rmSync(join(folder, 'ctx.db'), { force: true });
    const stored = runImport(path, folder, ['--count', count]);
    add(`import ${count} until stored`, stored);
    add(`import ${count} until searched`, both(stored, runFirstSearch(folder)));
  }
  return figures;
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-transcripts-'));
  try {
    const path = join(folder, 'session.jsonl');
    const bytes = await writeSyntheticLog(path, Number(values.megabytes) * 1_000_000);
    const bare: Run[] = [];
    const own: Run[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      bare.push(runApart('bare', path));
      own.push(runApart('ctx', path));
    }
    const bareSeconds = median(bare.map(({ seconds }) => seconds));
    const seconds = median(own.map((run) => run.seconds));
    const bareCpu = median(bare.map(({ cpuSeconds }) => cpuSeconds));
    const cpu = median(own.map(({ cpuSeconds }) => cpuSeconds));
    const stored = storingFigures(path, folder, { bareCpu, bareSeconds });
    const figures = {
      megabytes: Math.round(bytes / 1_000_000),
      records: own[0]?.records,
      bareMbPerSecond: Math.round(bytes / 1_000_000 / bareSeconds),
      mbPerSecond: Math.round(bytes / 1_000_000 / seconds),
      speedOverBare: Number((bareSeconds / seconds).toFixed(2)),
      bareSeconds: Number(bareSeconds.toFixed(2)),
      bareCpuSeconds: Number(bareCpu.toFixed(2)),
      cpuSeconds: Number(cpu.toFixed(2)),
      speedOverBareByCpu: Number((bareCpu / cpu).toFixed(2)),
      barePeakMb: Math.round(Math.max(...bare.map(({ peakMb }) => peakMb))),
      peakMb: Math.round(Math.max(...own.map(({ peakMb }) => peakMb))),
      ...stored,
    };
    if (values.json) console.log(JSON.stringify(figures));
    else for (const [name, value] of Object.entries(figures)) console.log(name.padEnd(40), value);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.reader !== undefined && values.file !== undefined) {
  console.log(JSON.stringify(await runReader(values.reader, values.file)));
} else await compare();
