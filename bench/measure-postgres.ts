/**
 * What the PostgreSQL store costs beside SQL by hand through the same driver on the same server, and how that grows with the number
 * of items. `lean` is the least that a program would send; `same` reads and keeps what ctx does.
 * Run: `npm run bench -- postgres --url postgres://ctx@127.0.0.1:5432/ctx [--json] [--sizes 10000,1000000] [--in-tenant 1000]
 * [--times 300] [--schema ctx_bench] [--keep] [--lock]`. One schema grows from size to size; it is dropped at the end unless it is to be kept, and a run goes on from
 * what was kept. `--lock` measures what the lock on tenants costs instead, as a user who may not pass it. 1,000,000 items take about two minutes, 10,000,000 about twenty, and 14 GB on the server.
 */
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { type LockCost, measureLock } from './postgres/measure-lock.ts';
import { measureSize, type SizeReport } from './postgres/measure-size.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    url: { type: 'string', default: process.env['CTX_TEST_POSTGRES'] ?? '' },
    sizes: { type: 'string', default: '10000,100000' },
    'in-tenant': { type: 'string', default: '1000' },
    times: { type: 'string', default: '300' },
    schema: { type: 'string', default: 'ctx_bench' },
    keep: { type: 'boolean', default: false },
    lock: { type: 'boolean', default: false },
  },
});

function show({ p50, p99 }: { readonly p50: number; readonly p99: number }): string {
  return `p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`;
}

function print({ items, tenants, fillSeconds, timings, bytes }: SizeReport): void {
  console.log(
    `${String(items)} items in ${String(tenants)} tenants, filled in ${fillSeconds.toFixed(1)} s`,
  );
  for (const [name, { ctx, lean, same }] of Object.entries(timings)) {
    const ratios = [lean, same].map(({ p50 }) => (ctx.p50 / p50).toFixed(2)).join(', ');
    const all = `ctx ${show(ctx)}; lean ${show(lean)}; same ${show(same)}; ratios ${ratios}`;
    console.log(`  ${name.padEnd(14)} ${all}`);
  }
  for (const [name, size] of Object.entries(bytes)) {
    console.log(`  ${name.padEnd(24)} ${(size / items).toFixed(0)} bytes an item`);
  }
}

function printLock(costs: Readonly<Record<string, LockCost>>): void {
  for (const [name, { open, locked }] of Object.entries(costs)) {
    const ratio = (locked.p50 / open.p50).toFixed(2);
    console.log(`  ${name.padEnd(16)} open ${show(open)}; locked ${show(locked)}; ratio ${ratio}`);
  }
}

async function measureAll(pool: Pool): Promise<unknown[]> {
  const reports: unknown[] = [];
  const itemsInTenant = Number(values['in-tenant']);
  for (const items of values.sizes.split(',').map(Number)) {
    const tenants = Math.max(1, Math.round(items / itemsInTenant));
    const { url, schema } = values;
    const given = { url, pool, schema, tenants, itemsInTenant, times: Number(values.times) };
    if (values.lock) {
      const costs = await measureLock(given);
      reports.push({ items, costs });
      if (!values.json) printLock(costs);
    } else {
      const report = await measureSize(given);
      reports.push(report);
      if (!values.json) print(report);
    }
  }
  return reports;
}

if (values.url === '') {
  console.error('No PostgreSQL: name one by --url or CTX_TEST_POSTGRES.');
  process.exitCode = 2;
} else {
  const pool = new Pool({ connectionString: values.url, max: 4 });
  const reports = await measureAll(pool);
  if (values.json) console.log(JSON.stringify(reports, null, 2));
  if (!values.keep) await pool.query(`DROP SCHEMA "${values.schema}" CASCADE`);
  await pool.end();
}
