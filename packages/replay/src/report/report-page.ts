import { bytesText, countedText, countText } from '@ctx/core/encoding';
import { replayPolicies } from '../policies/replay-policies.ts';
import type { ReplayRow, ReplaySummary } from '../summary/replay-summary.ts';
import { type FrontMeasure, frontChart, mark } from './front-chart.ts';
import { type Html, html } from './html.ts';
import { groupNames, groupOf, type PolicyGroup } from './policy-group.ts';
import { reportStyle } from './report-style.ts';
import { equalEvidenceTable, sessionDetails, totalsTable } from './report-tables.ts';

const measures: readonly FrontMeasure[] = [
  {
    title: 'Evidence in view',
    meaning:
      'Of the edits whose old lines a tool had shown: those whose lines were all still in the request.',
    part: ({ editsInView }) => editsInView,
    whole: ({ edits }) => edits,
  },
  {
    title: 'Re-read content in view',
    meaning:
      'Of the tokens of files that were read again: those that were still in the request, so that the second read was not needed.',
    part: ({ rereadTokensInView }) => rereadTokensInView,
    whole: ({ rereadTokens }) => rereadTokens,
  },
  {
    title: 'Names in view',
    meaning:
      'Of the identifiers that answers took from tool results alone: those that were still in the request.',
    part: ({ namesInView }) => namesInView,
    whole: ({ namesUsed }) => namesUsed,
  },
];

const groupOrder: readonly PolicyGroup[] = ['ctx', 'recipe', 'rival', 'none', 'bound'];

function readingAid(totals: readonly ReplayRow[]): Html {
  const shown = new Set(totals.map(({ policy }) => groupOf(policy)));
  const items = groupOrder
    .filter((group) => shown.has(group))
    .map(
      (group) =>
        html`<li><svg viewBox="0 0 20 20" aria-hidden="true">${mark(group, 10, 10)}</svg>${groupNames[group]}</li>`,
    );
  const bound = shown.has('bound')
    ? html`<p>The dotted line is the lowest cost that any choice of flush times could reach if it knew the future, with the tail of the default mode and no read held back. A mode with a shorter tail may cost less.</p>`
    : '';
  return html`<section class="aid"><h3>How to read the charts</h3><ul class="key">${items}</ul><p>Better is up and to the left. Cost is in uncached-token equivalents (UTE): an input token at the full price counts 1, a cached one less, an output token more. What was removed may still be read by its pointer: see “recoverable” below.</p>${bound}</section>`;
}

function policyList(totals: readonly ReplayRow[]): Html {
  const names = new Set(totals.map(({ policy }) => policy));
  const items = replayPolicies
    .filter(({ name }) => names.has(name))
    .map(({ name, description }) => html`<dt>${name}</dt><dd>${description}</dd>`);
  return html`<dl>${items}</dl>`;
}

function lead({
  sessions,
  windowTokens,
  price,
  pricesDate,
  redact,
  totals,
}: ReplaySummary): string {
  const saved = sessions.reduce(
    (sum, session) => ({
      outputs: sum.outputs + session.saved.outputs,
      bytes: sum.bytes + session.saved.bytes,
    }),
    { outputs: 0, bytes: 0 },
  );
  return `${countedText(sessions.length, 'recorded session')} replayed step by step under ${countedText(totals.length, 'policy', 'policies')}: window ${countText(windowTokens)} tokens, prices ${price} of ${pricesDate}, redaction ${redact}; ${countText(saved.outputs)} tool outputs (${bytesText(saved.bytes)}) stored.`;
}

/** In the place of charts where none can be drawn. */
const noChart = html`<p>There is no chart: these sessions have no edits, repeated reads or names that show what had to stay in view. The table shows what each policy costs.</p>`;

const title = 'ctx replay: cost and what stays in view';

/**
 * What replays found as a page of its own: charts of cost against what stayed in view, a table of all measures, and
 * the sessions one by one.
 * Pure; loads nothing, runs nothing; everything that comes from a transcript is escaped. Takes time in proportion to policies × sessions.
 */
export function reportPage(answer: ReplaySummary): string {
  const { totals, sessions } = answer;
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const drawn = measures.map((measure) => frontChart(totals, measure));
  const hasCharts = drawn.some((chart) => chart !== '');
  const charts = hasCharts
    ? html`<div class="charts">${drawn}${readingAid(totals)}</div>`
    : noChart;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${{ markup: reportStyle }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="lead">${lead(answer)}</p>
<h2>What a policy costs, and what it keeps in view</h2>
${charts}
${equalEvidenceTable(totals)}
<h2>All measures</h2>
${totalsTable(totals)}
<h2>The policies</h2>
${policyList(totals)}
<h2>Session by session</h2>
${sessions.map(sessionDetails)}
</main>
</body>
</html>
`;
  return page.markup;
}
