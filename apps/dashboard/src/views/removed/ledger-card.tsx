import type { ReactNode } from 'react';
import type { View } from '../../api/queries.ts';
import { ledgerOf } from '../../parts/ledger.ts';
import { Table } from '../../parts/lists/table.tsx';
import { countText, shareText } from '../../parts/text/format.ts';

/** What came in, what is in view and what was removed, by reason: it adds up. */
export function LedgerCard({ view }: { view: View }): ReactNode {
  const { received, inView, removed, reasons } = ledgerOf(view);
  const rows = [
    ['Received', '', received],
    ['In view', '', inView],
    ['Removed', '', removed],
  ] as const;
  return (
    <section className="card ledger" aria-label="Ledger">
      <Table
        columns={[['Messages'], ['Pieces', 'number'], ['Tokens', 'number'], ['Share', 'number']]}
      >
        {rows.map(([name, pieces, tokens]) => (
          <tr key={name}>
            <td>
              <strong>{name}</strong>
            </td>
            <td className="number">{pieces}</td>
            <td className="number">{countText(tokens)}</td>
            <td className="number">{shareText(tokens, received)}</td>
          </tr>
        ))}
        {reasons.map(({ name, pieces, tokens }) => (
          <tr key={name}>
            <td className="reason">{name}</td>
            <td className="number">{countText(pieces)}</td>
            <td className="number">{countText(tokens)}</td>
            <td className="number">{shareText(tokens, received)}</td>
          </tr>
        ))}
      </Table>
      <p className="muted">
        Received is what is in view plus what was removed. A piece counts once, under the reason
        that changed it last. Tokens are counted by ctx. All of it can still be read.
      </p>
    </section>
  );
}
