import type { StoreUrl } from '@ctx/agent-adapter/store';
import { type serveProxy, summaryLine } from '@ctx/proxy';
import type { CliHost } from '../cli-host.ts';
import { followUp } from '../follow-up.ts';

/** What a proxy says last: its sums, and the command that shows what it kept. */
export function lastLine(
  host: Pick<CliHost, 'env'>,
  { proxy }: Awaited<ReturnType<typeof serveProxy>>,
  { scheme }: StoreUrl,
): string {
  const [first] = proxy.sessions();
  const see = first === undefined ? '' : `; see: ${followUp(host, ['status', first])}`;
  const look = scheme === 'memory' ? '; nothing was kept: the store was memory:' : see;
  return `${summaryLine(proxy.totals())}${look}`;
}
