import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Segment } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { countText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

/** What the calls and results of one tool, or of one server, take. */
export interface ToolSum {
  readonly name: string;
  readonly calls: number;
  readonly inView: number;
  readonly left: number;
}

/** The MCP server of a tool, as agents name them: `mcp__<server>__<tool>`; `undefined` for other tools. Pure. */
export function serverOf(tool: string): string | undefined {
  return /^mcp__(.+?)__./.exec(tool)?.[1];
}

/** Calls and results by tool, or by another name of it, those that take the most room first. Pure. */
export function sumByTool(
  segments: readonly Segment[],
  nameOf: (tool: string) => string | undefined = (tool) => tool,
): ToolSum[] {
  const sums = new Map<string, ToolSum>();
  for (const { toolName, kind, tokensBefore, tokensAfter } of segments) {
    const name = toolName === undefined ? undefined : nameOf(toolName);
    if (name === undefined) continue;
    const { calls, inView, left } = sums.get(name) ?? { calls: 0, inView: 0, left: 0 };
    sums.set(name, {
      name,
      calls: calls + (kind === 'call' ? 1 : 0),
      inView: inView + tokensAfter,
      left: left + Math.max(0, tokensBefore - tokensAfter),
    });
  }
  return [...sums.values()].sort((one, other) => other.inView - one.inView);
}

/** So many tools are shown; the others are one line. */
const mostTools = 6;

interface SumsProps {
  readonly heading: string;
  readonly all: readonly ToolSum[];
}

function Sums({ heading, all }: SumsProps): ReactNode {
  const others = all.slice(mostTools);
  const rest: ToolSum = {
    name: others.length === 1 ? '1 other' : `${others.length} others`,
    calls: others.reduce((sum, { calls }) => sum + calls, 0),
    inView: others.reduce((sum, { inView }) => sum + inView, 0),
    left: others.reduce((sum, { left }) => sum + left, 0),
  };
  const shown = [...all.slice(0, mostTools), ...(others.length === 0 ? [] : [rest])];
  if (shown.length === 0) shown.push({ ...rest, name: 'none called yet' });
  return (
    <Table
      columns={[[heading], ['Calls', 'number wide'], ['In view', 'number'], ['Removed', 'number']]}
    >
      {shown.map(({ name, calls, inView, left }, place) => (
        <tr key={place}>
          <td className="clip">{firstLine(name)}</td>
          <td className="number wide">{countText(calls)}</td>
          <td className="number">{countText(inView)}</td>
          <td className="number">{countText(left)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Which tools take the room, and which MCP servers they come from. */
export function ByTool({ segments }: { segments: readonly Segment[] }): ReactNode {
  const servers = sumByTool(segments, serverOf);
  return (
    <>
      <Sums heading="Tool" all={sumByTool(segments)} />
      {servers.length === 0 ? null : <Sums heading="MCP server" all={servers} />}
    </>
  );
}

function LargestRow({ segment, session }: { segment: Segment; session: string }): ReactNode {
  const { kind, toolName, shown = '', tokensAfter } = segment;
  const address = sessionPath(session, `/request?segment=${segment.segment}`);
  return (
    <tr>
      <td className="name">
        <Swatch tone={kind} />
        <span className="clip">{firstLine(toolName ?? kind)}</span>
      </td>
      <td className="clip">
        <Link href={address} data-row>
          {firstLine(shown) || '(blank)'}
        </Link>
      </td>
      <td className="number">{countText(tokensAfter)}</td>
    </tr>
  );
}

const largestCount = 8;

/** The pieces that take the most room. */
export function Largest({
  segments,
  session,
}: {
  segments: readonly Segment[];
  session: string;
}): ReactNode {
  const largest = [...segments]
    .sort((left, right) => right.tokensAfter - left.tokensAfter)
    .slice(0, largestCount);
  return (
    <section className="card ranks">
      <h2>Largest pieces in view</h2>
      <Table columns={[['From'], ['Begins with'], ['Tokens', 'number']]}>
        {largest.map((segment, place) => (
          <LargestRow key={place} segment={segment} session={session} />
        ))}
      </Table>
    </section>
  );
}
