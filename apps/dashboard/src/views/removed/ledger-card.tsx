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
    ...reasons.map(({ name, pieces, tokens }) => [name, countText(pieces), tokens] as const),
    ['System prompt and tools', '', view.tokens - inView],
    ['In the window', '', view.tokens],
  ] as const;
  return (
    <section className="card ledger" aria-label="Ledger">
      <Table
        columns={[['Messages'], ['Pieces', 'number'], ['Tokens', 'number'], ['Share', 'number']]}
      >
        {rows.map(([name, pieces, tokens], place) => (
          <tr key={name}>
            <td className={pieces === '' ? 'sum' : 'reason'}>{name}</td>
            <td className="number">{pieces}</td>
            <td className="number">{countText(tokens)}</td>
            <td className="number">{place < rows.length - 2 ? shareText(tokens, received) : ''}</td>
          </tr>
        ))}
      </Table>
      <p className="muted">
        A piece counts once, under the reason that changed it last. All of it can still be read.
      </p>
    </section>
  );
}
