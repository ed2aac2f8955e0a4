import { countText } from '@ctx/core/encoding';
import { chartScale } from '../chart-scale.ts';
import { type Html, html } from '../html.ts';
import type { SharedRequest } from './plan-session-page.ts';

/** Size of the drawing, and where its left axis and bottom axis are. */
const size = { width: 900, height: 220, left: 70, bottom: 190, top: 12 };

/** The size of each request against its limit, with what happened before it. Pure. */
export function requestChart(requests: readonly SharedRequest[]): Html {
  const { width, height, left, bottom, top } = size;
  const most = Math.max(
    ...requests.map(({ tokens, limitTokens }) => Math.max(tokens, limitTokens)),
  );
  const across = chartScale({
    ...{ least: 1, most: requests.length, from: left, to: width - 10, marks: 8 },
  });
  const up = chartScale({ least: 0, most, from: bottom, to: top, marks: 4 });
  const at = ({ number, tokens }: SharedRequest) =>
    `${across.place(number).toFixed(1)},${up.place(tokens).toFixed(1)}`;
  const marks = requests.flatMap((request) => {
    if (request.event === undefined) return [];
    const [x = '', y = ''] = at(request).split(',');
    return [html`<circle class="${request.event}" cx="${x}" cy="${y}" r="4"></circle>`];
  });
  const limit = up.place(requests.at(-1)?.limitTokens ?? 0).toFixed(1);
  const ticks = up.ticks.map(
    (value) =>
      html`<text class="tick" x="${left - 8}" y="${up.place(value) + 4}" text-anchor="end">${countText(value)}</text>`,
  );
  const ends = html`<text class="tick" x="${left}" y="${height - 8}">request 1</text><text class="tick" x="${width - 10}" y="${height - 8}" text-anchor="end">request ${countText(requests.length)}</text>`;
  return html`<figure><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Tokens of each request">${ticks}${ends}<line class="limit" x1="${left}" x2="${width - 10}" y1="${limit}" y2="${limit}"></line><polyline class="size" points="${requests.map(at).join(' ')}"></polyline>${marks}</svg>
<figcaption>Tokens of each request. Dashed: the limit. Dot: a flush. Ring: a compaction.</figcaption></figure>`;
}
