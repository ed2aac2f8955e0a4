import { parseArgs } from 'node:util';
import { ctxPeers } from './peers/ctx.ts';
import { judgePeer, type PeerReport } from './peers/judge-peer.ts';
import { langChainPeers } from './peers/langchain.ts';
import { mastraPeers } from './peers/mastra.ts';
import { openAiAgents } from './peers/openai-agents.ts';
import type { Peer } from './peers/peer.ts';
import { sessionKinds } from './peers/random-sessions.ts';

const { values: flags } = parseArgs({
  options: {
    sessions: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

/** What would be sent if nobody took anything out: some histories are refused as they are. */
const untouched: Peer = {
  name: 'nothing taken out',
  format: 'any',
  fit: (messages) => Promise.resolve(messages),
};

const peers = [untouched, ...langChainPeers, openAiAgents, ...mastraPeers, ...ctxPeers];

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

function rowOf(report: PeerReport): string {
  const { peer, format, sessions, declined, refused, ledByAssistant, torn } = report;
  const made = sessions - declined;
  const shares = [refused, torn, ledByAssistant].map((count) => percent(count, made));
  return `| ${[peer, format, ...shares, String(declined)].join(' | ')} |`;
}

function print(kind: string, reports: readonly PeerReport[]): void {
  console.log(`\n${kind}, ${String(reports[0]?.sessions ?? 0)} sessions, seed ${flags.seed}\n`);
  console.log('| | format | refused | a pair torn | led by the assistant | no request |');
  console.log('| --- | --- | --: | --: | --: | --: |');
  for (const report of reports) console.log(rowOf(report));
  for (const { peer, examples } of reports) {
    for (const [violation, example] of Object.entries(examples)) {
      console.log(`${peer}, ${violation}: ${example}`);
    }
  }
}

const options = { sessions: Number(flags.sessions), seed: Number(flags.seed) };
const results: Record<string, PeerReport[]> = {};
for (const kind of sessionKinds) {
  const reports: PeerReport[] = [];
  for (const peer of peers) reports.push(await judgePeer(peer, kind, options));
  results[kind.name] = reports;
  if (!flags.json) print(kind.name, reports);
}
if (flags.json) console.log(JSON.stringify(results, null, 2));
if (
  Object.values(results)
    .flat()
    .some(({ peer, refused }) => peer.startsWith('ctx') && refused > 0)
) {
  process.exitCode = 1;
}
