import type { ReactNode } from 'react';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { countText, moneyText, shareText } from '../../parts/text/format.ts';
import { CostLines } from './cost-lines.tsx';
import type { WhatIfPolicy, WhatIfRun } from './use-what-if.ts';

/** Colours of the lines, in the order of the policies. */
const tones = [
  ...['user', 'assistant', 'call', 'result', 'flush', 'compaction', 'miss', 'cached', 'fresh'],
  ...['hot', 'warm', 'cold', 'fixed', 'other'],
];

const toneOf = (place: number): string => tones[place % tones.length] ?? 'ink';

const columns: readonly Column[] = [
  ['Policy'],
  ['Cost', 'number'],
  ['% of none', 'number'],
  ['Largest request', 'number'],
  ['From cache', 'number'],
  ['Cache breaks', 'number'],
  ['Over window', 'number'],
  ['Evidence in view', 'number'],
  ['Recoverable', 'number'],
];

/** How many there are of all; a dash if there are none to judge. */
const ofAll = (part: number, all: number): string =>
  all === 0 ? '–' : `${countText(part)} of ${countText(all)}`;

interface RowProps {
  readonly row: WhatIfPolicy;
  readonly place: number;
  readonly everything: number | undefined;
}

function PolicyRow({ row, place, everything }: RowProps): ReactNode {
  const { edits, editsInView, outputs, outputsRecoverable } = row;
  return (
    <tr>
      <td className="name">
        <Swatch tone={toneOf(place)} />
        {row.policy}
      </td>
      <td className="number">{moneyText(row.dollars)}</td>
      <td className="number">
        {everything === undefined || everything === 0 ? '–' : shareText(row.dollars, everything)}
      </td>
      <td className="number">{countText(row.peakTokens)}</td>
      <td className="number">{shareText(row.hitRate, 1)}</td>
      <td className="number">{countText(row.prefixBreaks)}</td>
      <td className="number">{countText(row.overWindow)}</td>
      <td className="number">{ofAll(editsInView, edits)}</td>
      <td className="number">{ofAll(outputsRecoverable, outputs)}</td>
    </tr>
  );
}

interface ResultProps {
  readonly run: WhatIfRun;
  readonly policies: readonly WhatIfPolicy[];
}

function Reading({ run, policies }: ResultProps): ReactNode {
  const times =
    run.times === 'transcript'
      ? 'at the recorded times'
      : '20 s apart, because the transcript has no times';
  const tooLarge = policies.some(({ overWindow }) => overWindow > 0);
  return (
    <p className="muted">
      {countText(policies[0]?.requests ?? 0)} requests {times}. Window:{' '}
      {countText(run.windowTokens)} tokens. Prices: {run.price}, list of {run.pricesDate}, in US
      dollars, for input and output. Sizes are counted by ctx, without tool definitions. Evidence in
      view: edits whose old text was still in the request. Recoverable: tool outputs that can be
      read back byte for byte.
      {tooLarge ? ' Requests over the window would be refused; their cost is included.' : ''}
    </p>
  );
}

/** What each policy would have cost and kept: lines of cost, and a table with every figure. */
export function WhatIfResult({ run, policies }: ResultProps): ReactNode {
  const everything = policies.find(({ policy }) => policy === 'none')?.dollars;
  return (
    <>
      <section className="card">
        <h2>Cost so far, request by request</h2>
        <CostLines
          lines={policies.map(({ policy: name, line }, place) => ({
            ...{ name, line },
            tone: toneOf(place),
          }))}
        />
      </section>
      <Sheet label="Policies" columns={columns}>
        {policies.map((row, place) => (
          <PolicyRow key={row.policy} row={row} place={place} everything={everything} />
        ))}
      </Sheet>
      <Reading run={run} policies={policies} />
    </>
  );
}
