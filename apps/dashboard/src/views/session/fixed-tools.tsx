import type { ReactNode } from 'react';
import type { View } from '../../api/queries.ts';
import { Table } from '../../parts/lists/table.tsx';
import { countText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

/** What the definitions of the tools take in every request, by name; nothing where only their sum is known. */
export function FixedTools({ fixed }: { readonly fixed: View['fixed'] }): ReactNode {
  if (fixed === undefined) return null;
  const { system, tools, unnamed } = fixed;
  const rows = [
    { name: 'system prompt', tokens: system },
    ...tools,
    ...(unnamed === undefined
      ? []
      : [{ name: `${countText(unnamed.tools)} other tools`, tokens: unnamed.tokens }]),
  ];
  return (
    <section className="card ranks">
      <h2>System prompt and tools</h2>
      <Table columns={[['In every request'], ['Tokens', 'number']]}>
        {rows.map(({ name, tokens }, place) => (
          <tr key={place} data-fixed>
            <td className="clip">{firstLine(name)}</td>
            <td className="number">{countText(tokens)}</td>
          </tr>
        ))}
      </Table>
      <p className="muted">Tools are estimated by the length of their definitions.</p>
    </section>
  );
}
