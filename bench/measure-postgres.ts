/**
 * What the PostgreSQL store costs beside plain SQL through the same driver on the same server, and how that grows with the number
 * of items.
 * Run: `npm run bench -- postgres --url postgres://ctx@127.0.0.1:5432/ctx [--json] [--sizes 10000,100000] [--times 300]`. There are
 * 1,000 items in a tenant. It takes about a minute for 100,000 items. What it makes it drops.
 */
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { measureSize, type SizeReport } from './postgres/measure-size.ts';

const itemsInTenant = 1000;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    url: { type: 'string', default: process.env['CTX_TEST_POSTGRES'] ?? '' },
    sizes: { type: 'string', default: '10000,100000' },
    times: { type: 'string', default: '300' },
  },
});

function show({ p50, p99 }: { readonly p50: number; readonly p99: number }): string {
  return `p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`;
}

function print({ items, tenants, fillSeconds, timings }: SizeReport): void {
  console.log(
    `${String(items)} items in ${String(tenants)} tenants, filled in ${fillSeconds.toFixed(1)} s`,
  );
  for (const [name, { ctx, raw }] of Object.entries(timings)) {
    const ratio = (ctx.p50 / raw.p50).toFixed(2);
    console.log(`  ${name.padEnd(14)} ctx ${show(ctx)}; raw ${show(raw)}; ratio ${ratio}`);
  }
}

if (values.url === '') {
  console.error('No PostgreSQL: name one by --url or CTX_TEST_POSTGRES.');
  process.exitCode = 2;
} else {
  const pool = new Pool({ connectionString: values.url, max: 4 });
  const reports: SizeReport[] = [];
  for (const items of values.sizes.split(',').map(Number)) {
    const tenants = Math.max(1, Math.round(items / itemsInTenant));
    const report = await measureSize({
      ...{ url: values.url, pool, items, tenants, times: Number(values.times) },
    });
    reports.push(report);
    if (!values.json) print(report);
  }
  if (values.json) console.log(JSON.stringify(reports, null, 2));
  await pool.end();
}
