import type { ReactNode } from 'react';
import type { View } from '../../api/queries.ts';
import { Table } from '../../parts/lists/table.tsx';
import { countedText, countText } from '../../parts/text/format.ts';
import { restName } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { serverOf } from './pieces-of-window.tsx';

type Fixed = NonNullable<View['fixed']>;

/** A row of the table; `server`: it sums up the tools of an MCP server, or is one of them. */
interface FixedRow {
  readonly name: string;
  readonly tokens: number;
  readonly server?: 'sum' | 'tool';
}

/** The tools, those of an MCP server below its sum, the largest first. Pure. */
export function toolRows(tools: Fixed['tools']): FixedRow[] {
  const servers = new Map<string, Fixed['tools'][number][]>();
  const rows: FixedRow[][] = [];
  for (const tool of tools) {
    const server = serverOf(tool.name);
    if (server === undefined) rows.push([tool]);
    else servers.set(server, [...(servers.get(server) ?? []), tool]);
  }
  for (const [server, own] of servers) {
    const tokens = own.reduce((sum, tool) => sum + tool.tokens, 0);
    const count = countedText(own.length, 'tool');
    const name = `MCP server ${server}, ${count}`;
    const members = own.map((tool): FixedRow => ({ ...tool, server: 'tool' }));
    rows.push([{ name, tokens, server: 'sum' }, ...members]);
  }
  return rows.sort(([one], [other]) => (other?.tokens ?? 0) - (one?.tokens ?? 0)).flat();
}

function rowsOf({ fixed, fixedTokens, imported }: View): FixedRow[] {
  if (fixed === undefined) return [];
  const { system, tools, unnamed } = fixed;
  const told = tools.reduce((sum, { tokens }) => sum + tokens, system + (unnamed?.tokens ?? 0));
  const others = unnamed === undefined ? [] : [unnamed];
  return [
    { name: 'system prompt', tokens: system },
    ...toolRows(tools),
    ...others.map(({ tools: count, tokens }) => ({
      name: countedText(count, 'other tool'),
      tokens,
    })),
    ...(fixedTokens - told >= 0.5
      ? [{ name: restName(imported), tokens: fixedTokens - told }]
      : []),
  ];
}

/** Why the parts are not known, or how they were found. */
function noteOf({ fixed, fixedTokens, imported }: View): string {
  if (fixed === undefined) {
    return `The transcript contains neither the system prompt nor the tools. Together they take ${countText(fixedTokens)} tokens: what the provider counted besides the messages.`;
  }
  if (imported === undefined) return 'Tools are estimated from the length of their definitions.';
  return 'Estimated from what the transcript contains.';
}

/** What system prompt and tools take in every request, by name; nothing where there is nothing to say of them. */
export function FixedTools({ view }: { readonly view: View }): ReactNode {
  const rows = rowsOf(view);
  const isUnknown = view.fixed === undefined && view.imported !== undefined && view.fixedTokens > 0;
  if (rows.length === 0 && !isUnknown) return null;
  return (
    <section className="card ranks">
      <h2>System prompt and tools</h2>
      {rows.length === 0 ? null : (
        <Table columns={[['In every request'], ['Tokens', 'number']]}>
          {rows.map(({ name, tokens, server }, place) => (
            <tr key={place} data-fixed>
              <td className={server === 'tool' ? 'clip member' : 'clip'}>{firstLine(name)}</td>
              <td className="number">{countText(tokens)}</td>
            </tr>
          ))}
        </Table>
      )}
      <p className="muted">{noteOf(view)}</p>
    </section>
  );
}
