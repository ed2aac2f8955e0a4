import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Segment } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { countText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

/** What the calls and results of one tool take. */
export interface ToolSum {
  readonly tool: string;
  readonly calls: number;
  readonly inView: number;
  readonly left: number;
}

/** Calls and results by tool, those that take the most room first. Pure. */
export function sumByTool(segments: readonly Segment[]): ToolSum[] {
  const sums = new Map<string, ToolSum>();
  for (const { toolName, kind, tokensBefore, tokensAfter } of segments) {
    if (toolName === undefined) continue;
    const { calls, inView, left } = sums.get(toolName) ?? { calls: 0, inView: 0, left: 0 };
    sums.set(toolName, {
      tool: toolName,
      calls: calls + (kind === 'call' ? 1 : 0),
      inView: inView + tokensAfter,
      left: left + Math.max(0, tokensBefore - tokensAfter),
    });
  }
  return [...sums.values()].sort((one, other) => other.inView - one.inView);
}

/** So many tools are shown; the others are one line. */
const mostTools = 6;

/** Which tools take the room. */
export function ByTool({ segments }: { segments: readonly Segment[] }): ReactNode {
  const all = sumByTool(segments);
  const others = all.slice(mostTools);
  const rest: ToolSum = {
    tool: `${others.length} others`,
    calls: others.reduce((sum, { calls }) => sum + calls, 0),
    inView: others.reduce((sum, { inView }) => sum + inView, 0),
    left: others.reduce((sum, { left }) => sum + left, 0),
  };
  const shown = [...all.slice(0, mostTools), ...(others.length === 0 ? [] : [rest])];
  if (shown.length === 0) shown.push({ ...rest, tool: 'none called yet' });
  return (
    <Table
      columns={[['Tool'], ['Calls', 'number wide'], ['In view', 'number'], ['Removed', 'number']]}
    >
      {shown.map(({ tool, calls, inView, left }, place) => (
        <tr key={place}>
          <td className="clip">{firstLine(tool)}</td>
          <td className="number wide">{countText(calls)}</td>
          <td className="number">{countText(inView)}</td>
          <td className="number">{countText(left)}</td>
        </tr>
      ))}
    </Table>
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
