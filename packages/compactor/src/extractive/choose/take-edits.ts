import type { QuotedLine } from '../compose/compose-summary.ts';
import type { Corpus } from '../lines/corpus.ts';
import type { EditText } from '../lines/gather-lines.ts';
import type { Coverage } from './coverage.ts';
import type { LineDraft } from './draft.ts';

/** Drops lines such as `return nil` that add no literal or pair to the summary. */
export function addingEdits(
  edits: readonly EditText[],
  { corpus, coverage }: { readonly corpus: Corpus; readonly coverage: Coverage },
): EditText[] {
  const adds = (line: string): boolean =>
    coverage.gainOf({ literals: corpus.literalsIn(line) }) > 0;
  return edits.map(({ path, lines }) => ({ path, lines: lines.filter(adds) }));
}

/** Takes new text of edits, the newest first, as lines that are quoted under their files. */
export function takeEdits(
  draft: LineDraft,
  edits: readonly EditText[],
  budgetTokens: number,
): QuotedLine[] {
  const end = draft.spent() + budgetTokens;
  return edits.flatMap(({ path, lines }, edit) =>
    draft
      .take(lines, end - draft.spent())
      .map((text, index) => ({ text, group: path, order: (edit - edits.length) * 1e6 + index })),
  );
}
