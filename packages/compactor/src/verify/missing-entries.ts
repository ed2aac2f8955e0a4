import { entriesOf, type Ledger, type LedgerEntry } from '../ledger/ledger.ts';
import { escapeMarks } from '../summary/quote.ts';

/** White space counts as one space, so that a line break inside an entry does not hide it. */
function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** The entries whose key the text does not hold, word by word. Costs one search an entry. */
export function missingEntries(text: string, ledger: Ledger): LedgerEntry[] {
  const searched = flat(text);
  const stands = (key: string): boolean =>
    searched.includes(flat(key)) || searched.includes(flat(escapeMarks(key)));
  return entriesOf(ledger).filter(({ key }) => !stands(key));
}

/** The texts that do not stand in `text` exactly, each once. */
export function missingTexts(text: string, wanted: readonly string[]): string[] {
  return [...new Set(wanted)].filter((one) => one.trim() !== '' && !text.includes(one));
}
