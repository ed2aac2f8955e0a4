import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Segment, View } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { countText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

/** What the calls and results of one tool, or of one server, take. */
export type ToolSum = NonNullable<View['tools']>[number];

/** The MCP server of a tool, as agents name them: `mcp__<server>__<tool>`; `undefined` for other tools. Pure. */
export function serverOf(tool: string): string | undefined {
  return /^mcp__(.+?)__./.exec(tool)?.[1];
}

/** Adds up sums under one name. */
const sumOf = (name: string, sums: readonly ToolSum[]): ToolSum => {
  const add = (of: 'calls' | 'tokensAfter' | 'removed') =>
    sums.reduce((all, one) => all + one[of], 0);
  return { name, calls: add('calls'), tokensAfter: add('tokensAfter'), removed: add('removed') };
};

/** The sums of tools by MCP server, those that take the most room first; tools of no server are left out. Pure. */
export function sumByServer(tools: readonly ToolSum[]): ToolSum[] {
  const servers = new Map<string, ToolSum[]>();
  for (const tool of tools) {
    const name = serverOf(tool.name);
    if (name !== undefined) servers.set(name, [...(servers.get(name) ?? []), tool]);
  }
  return [...servers]
    .map(([name, own]) => sumOf(name, own))
    .sort((one, other) => other.tokensAfter - one.tokensAfter);
}

/** So many tools are shown; the others are one line. */
const mostTools = 6;

interface SumsProps {
  readonly heading: string;
  readonly all: readonly ToolSum[];
}

function Sums({ heading, all }: SumsProps): ReactNode {
  const others = all.slice(mostTools);
  const rest = sumOf(others.length === 1 ? '1 other' : `${others.length} others`, others);
  const shown = [...all.slice(0, mostTools), ...(others.length === 0 ? [] : [rest])];
  if (shown.length === 0) shown.push({ ...rest, name: 'none called yet' });
  return (
    <Table
      columns={[[heading], ['Calls', 'number wide'], ['In view', 'number'], ['Removed', 'number']]}
    >
      {shown.map(({ name, calls, tokensAfter, removed }, place) => (
        <tr key={place}>
          <td className="clip">{firstLine(name)}</td>
          <td className="number wide">{countText(calls)}</td>
          <td className="number">{countText(tokensAfter)}</td>
          <td className="number">{countText(removed)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Which tools take the room, and which MCP servers they come from. */
export function ByTool({ tools }: { tools: readonly ToolSum[] }): ReactNode {
  const servers = sumByServer(tools);
  return (
    <>
      <Sums heading="Tool" all={tools} />
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

/** The pieces that take the most room, these first. */
export function Largest({
  segments,
  session,
}: {
  segments: readonly Segment[];
  session: string;
}): ReactNode {
  return (
    <section className="card ranks">
      <h2>Largest pieces in view</h2>
      <Table columns={[['From'], ['Begins with'], ['Tokens', 'number']]}>
        {segments.map((segment, place) => (
          <LargestRow key={place} segment={segment} session={session} />
        ))}
      </Table>
    </section>
  );
}
