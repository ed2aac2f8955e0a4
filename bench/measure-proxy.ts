/**
 * Recorded sessions as lists of requests through the proxy, beside what `ctx replay` finds for the window: with compaction (`ctx`), and
 * under the policy of the proxy, which has none (`ctx-proxy`). Fails if what went through the proxy costs over 1 % more or less than that.
 * Run: `npm run bench -- proxy [--data FOLDER] [--set NAME] [--every N]`. Takes minutes; says so and ends where there is no data.
 */
import { parseArgs } from 'node:util';
import { automaticCompaction } from '@ctx/agent-adapter';
import { createRedactor } from '@ctx/redact';
import { loadSessions, replayPolicies, replaySession } from '@ctx/replay';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { tokenCounterFor } from '@ctx/tokens';
import { cachePriceOf } from '@ctx/truncation';
import { proxyPolicy, type Seen } from './proxy/proxy-policy.ts';
import { type DataSet, dataSets, sharedData, timesIn } from './window-general/data-sets.ts';

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: sharedData() },
    set: { type: 'string', multiple: true, default: [] },
    every: { type: 'string', default: '1' },
  },
});

type Session = Awaited<ReturnType<typeof loadSessions>>[number]['session'];

/** Shorter sessions never fill a window. */
const leastMessages = 20;

const seen: Seen = { requests: 0, flushes: 0, failedOpen: 0 };
const policies = [
  ...replayPolicies.filter(({ name }) => ['none', 'ctx', 'ctx-proxy'].includes(name)),
  proxyPolicy('default', seen),
];

async function replay(session: Session) {
  const countTokens = tokenCounterFor();
  const redactor = createRedactor({ mode: 'off' });
  const store = await openStore(memoryBackend(), { redactor, tokenCounter: countTokens });
  const compactWindow = automaticCompaction;
  const price = cachePriceOf('anthropic-5m');
  const report = await replaySession(session, {
    ...{ store, policies, price, windowTokens: 200_000, countTokens, compactWindow },
  });
  await store.close();
  return report.policies;
}

/** Sums by policy: cost, edits, those with their evidence in view, results, those that come back, invalid requests, those over the window. */
type Sums = Map<string, readonly number[]>;

/** The session as a client of Anthropic's API has it: no thinking of other providers, which that has no place for. */
function asSent(session: Session): Session {
  const messages = session.messages.map((message) => {
    const content = message.content.filter(
      (block) => block.type !== 'opaque' || block.format.startsWith('anthropic:'),
    );
    return content.length === 0 ? message : { ...message, content };
  });
  return { ...session, messages };
}

async function addSession(sums: Sums, session: Session): Promise<void> {
  for (const { policy, cost, evidence, outputs, invalid, overWindow } of await replay(
    asSent(session),
  )) {
    const { total, recoverable } = outputs;
    const row = [
      cost.ute,
      evidence.edits,
      evidence.inView,
      total,
      recoverable,
      invalid,
      overWindow,
    ];
    const before = sums.get(policy);
    sums.set(
      policy,
      row.map((value, at) => value + (before?.[at] ?? 0)),
    );
  }
}

async function addFile(sums: Sums, file: string): Promise<void> {
  const loaded = await loadSessions(file, timesIn(flags.data)).catch(() => []);
  for (const { session } of loaded) {
    if (session.messages.length >= leastMessages) await addSession(sums, session);
  }
}

function tableOf(name: string, sums: Sums): string {
  const [none = 1] = sums.get('none') ?? [];
  const rows = [...sums].map(([policy, [ute = 0, edits, inView, outputs, back, invalid, over]]) => {
    const cost = `${(ute / 1e6).toFixed(2)} (${(ute / none).toFixed(3)})`;
    const shares = `${String(inView)} of ${String(edits)} | ${String(back)} of ${String(outputs)}`;
    return `| ${policy} | ${cost} | ${shares} | ${String(invalid)} | ${String(over)} |`;
  });
  const head =
    '| | million UTE | evidence in view | comes back | invalid | over |\n| --- | --- | --- | --- | --- | --- |';
  return [`${name}\n${head}`, ...rows, ''].join('\n');
}

const maxDifference = 0.01;

/** How much what went through the proxy costs beside the replay of its policy. */
function checkCost(name: string, sums: Sums): void {
  const [[replayed = 1] = [], [sent = 0] = []] = [sums.get('ctx-proxy'), sums.get('proxy-default')];
  const difference = sent / replayed - 1;
  process.stdout.write(`beside ctx-proxy: ${(100 * difference).toFixed(2)} %\n\n`);
  if (Math.abs(difference) <= maxDifference) return;
  process.stderr.write(`${name}: the proxy costs over 1 % more or less than its replay\n`);
  process.exitCode = 1;
}

async function measure({ name, files }: DataSet): Promise<void> {
  const sums: Sums = new Map();
  for (const file of files.filter((_, index) => index % Number(flags.every) === 0)) {
    await addFile(sums, file);
  }
  if (sums.size === 0) return;
  process.stdout.write(`${tableOf(name, sums)}\n`);
  checkCost(name, sums);
}

const wanted = dataSets(flags.data).filter(
  ({ name }) => flags.set.length === 0 || flags.set.some((part) => name.includes(part)),
);
if (wanted.length === 0) {
  process.stderr.write(`no recorded sessions in ${flags.data}: nothing is measured\n`);
}
for (const set of wanted) await measure(set);
process.stdout.write(`through the proxy: ${JSON.stringify(seen)}\n`);
