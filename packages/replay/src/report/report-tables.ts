import { bytesText, countedText, countsText, countText, percentText } from '@ctx/core/encoding';
import type { ReplayedSession, ReplayRow } from '../summary/replay-summary.ts';
import { equalEvidence } from './equal-evidence.ts';
import { type Html, html } from './html.ts';

interface Column {
  readonly title: string;
  /** What it means, for who has not seen it before. */
  readonly hint?: string;
  readonly cell: (row: ReplayRow) => string;
}

const inView: readonly Column[] = [
  {
    title: 'evidence in view',
    hint: 'edits whose old lines were all in the request',
    cell: (row) => percentText(row.editsInView, row.edits),
  },
  {
    title: 're-reads in view',
    hint: 'files that were read again: share that was still in the request',
    cell: (row) => percentText(row.rereadTokensInView, row.rereadTokens),
  },
  {
    title: 'names in view',
    hint: 'identifiers that answers took from tool results: share still in the request',
    cell: (row) => percentText(row.namesInView, row.namesUsed),
  },
];

const failures: readonly Column[] = [
  { title: 'over window', cell: ({ overWindow }) => countText(overWindow) },
  { title: 'invalid', cell: ({ invalid }) => countText(invalid) },
];

const allColumns: readonly Column[] = [
  { title: 'requests', cell: ({ requests }) => countText(requests) },
  { title: 'input tokens', cell: ({ inputTokens }) => countText(inputTokens) },
  { title: 'output tokens', cell: ({ outputTokens }) => countText(outputTokens) },
  {
    title: 'peak',
    hint: 'largest request, tokens',
    cell: ({ peakTokens }) => countText(peakTokens),
  },
  {
    title: 'UTE',
    hint: 'cost in uncached input tokens',
    cell: ({ ute }) => countText(ute),
  },
  { title: 'cost', hint: 'at a list price', cell: ({ dollars }) => `$${dollars.toFixed(2)}` },
  {
    title: 'cached',
    hint: 'share of the input read from the prompt cache',
    cell: (row) => percentText(row.cachedTokens, row.inputTokens),
  },
  {
    title: 'cached at most',
    hint: 'the same if no change had broken the cache',
    cell: (row) => percentText(row.cachedTokens + row.resentTokens, row.inputTokens),
  },
  {
    title: 'breaks',
    hint: 'requests that changed what was sent before',
    cell: ({ prefixBreaks }) => countText(prefixBreaks),
  },
  ...failures,
  ...inView,
  {
    title: 'recoverable',
    hint: 'the evidence in view or behind a pointer in view',
    cell: (row) => percentText(row.editsRecoverable, row.edits),
  },
  {
    title: 'outputs recoverable',
    hint: 'tool results that can be read back byte for byte',
    cell: (row) => percentText(row.outputsRecoverable, row.outputs),
  },
];

const sessionColumns: readonly Column[] = [
  { title: 'UTE', cell: ({ ute }) => countText(ute) },
  { title: 'peak', cell: ({ peakTokens }) => countText(peakTokens) },
  { title: 'breaks', cell: ({ prefixBreaks }) => countText(prefixBreaks) },
  ...failures,
  ...inView,
];

interface TableInput {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ReplayRow[];
}

function table({ caption, columns, rows }: TableInput): Html {
  const heads = columns.map(({ title, hint }) =>
    hint === undefined
      ? html`<th scope="col">${title}</th>`
      : html`<th scope="col"><abbr title="${hint}">${title}</abbr></th>`,
  );
  const lines = rows.map(
    (row) =>
      html`<tr><th scope="row">${row.policy}</th>${columns.map(({ cell }) => html`<td>${cell(row)}</td>`)}</tr>`,
  );
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption><thead><tr><th scope="col">policy</th>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** All measures of all policies. */
export function totalsTable(totals: readonly ReplayRow[]): Html {
  return table({
    caption: 'All measures, summed over the sessions',
    columns: allColumns,
    rows: totals,
  });
}

/** What each policy costs beside the recipe at the trigger that keeps the same evidence in view. */
export function equalEvidenceTable(totals: readonly ReplayRow[]): Html | string {
  const found = equalEvidence(totals);
  if (found.length === 0) return '';
  const rows = found.map(
    ({ row, recipeUte, noneUte }) =>
      html`<tr><th scope="row">${row.policy}</th><td>${percentText(row.editsInView, row.edits)}</td><td>${countText(row.ute)}</td><td>${recipeUte === undefined ? '–' : countText(recipeUte)}</td><td>${recipeUte === undefined ? '–' : percentText(row.ute, recipeUte)}</td><td>${noneUte === undefined ? '–' : percentText(row.ute, noneUte)}</td></tr>`,
  );
  const caption = 'Cost at equal evidence';
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}: the recipe is interpolated between its triggers; –: none of them keeps as much, or as little</caption><thead><tr><th scope="col">policy</th><th scope="col">evidence in view</th><th scope="col">UTE</th><th scope="col">recipe there</th><th scope="col">of the recipe</th><th scope="col">of none</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** One session, folded. */
export function sessionDetails(session: ReplayedSession): Html {
  const { id, file, format, messages, requests, times, repaired, saved, policies } = session;
  const facts = `${countedText(requests, 'request')}, ${countedText(messages, 'message')}, ${format}, times: ${times}; ${countedText(saved.outputs, 'output')} (${bytesText(saved.bytes)}), ${countText(saved.offloaded)} large; repaired: ${countsText(repaired)}`;
  const caption = `Session ${id}`;
  return html`<details><summary>${id} <small>${countedText(requests, 'request')}</small></summary><p>${file}: ${facts}</p>${table({ caption, columns: sessionColumns, rows: policies })}</details>`;
}
