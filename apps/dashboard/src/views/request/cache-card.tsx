import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RequestDiff } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { missNames } from '../../parts/request-cost.ts';
import { missedTokens } from '../../parts/request-marks.ts';
import { countText, moneyText } from '../../parts/text/format.ts';
import { firstLine, visibleText } from '../../parts/text/plain-text.tsx';

type Cache = RequestDiff['cache'];

/** Causes as `ctx cache-lint` names them, for people. */
const causeTexts: Readonly<Record<string, string>> = {
  ...missNames,
  'tools-order': 'the tools changed order',
  volatile: 'the prefix contains a value that changes each time',
  'key-order': 'JSON keys changed order',
};

/** Causes of what stands before the messages. */
const beforeMessages: readonly string[] = ['model', 'system', 'tools'];

function FirstChange({ session, diff }: CardProps): ReactNode {
  const { findings, firstChange: change } = diff.cache;
  const isBefore = findings.some(({ cause }) => beforeMessages.includes(cause));
  if (change === undefined && !isBefore)
    return <p>The request only adds to the one before: its prefix is unchanged.</p>;
  return (
    <p>
      {isBefore
        ? 'The requests differ before their first message.'
        : `Both requests begin with the same ${countText(change?.prefixTokens ?? 0)} tokens.`}
      {change === undefined ? null : (
        <>
          {' '}
          The first difference in their messages is at byte {countText(change.byte)} of{' '}
          <Link href={sessionPath(session, `/request/${diff.number}?segment=${change.segment}`)}>
            piece {countText(change.segment)} ({firstLine(change.toolName ?? change.kind)})
          </Link>
          .
        </>
      )}
    </p>
  );
}

/** What it cost that tokens were paid for again. */
const costText = (tokens: number, ute: number, dollars: number): string =>
  `${countText(tokens)} tokens paid for again, equivalent to ${countText(ute)} extra uncached tokens, ${moneyText(dollars)}.`;

function Finding({ finding }: { finding: Cache['findings'][number] }): ReactNode {
  const { cause, kinds = [], tokens, ute, dollars, fix, change } = finding;
  const what = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  return (
    <>
      <p>
        <strong>{`${causeTexts[cause] ?? cause}${what}`}</strong>: {costText(tokens, ute, dollars)}
      </p>
      {change === undefined ? null : (
        <div className="sides">
          <pre className="text is-short mark-removed">{visibleText(change.before)}</pre>
          <pre className="text is-short mark-added">{visibleText(change.after)}</pre>
        </div>
      )}
      <p className="muted">{fix}</p>
    </>
  );
}

interface CardProps {
  readonly session: string;
  readonly diff: RequestDiff;
}

/** What became of the prefix, in few words. */
function headingOf({ findings, firstChange }: Cache, missed: number): string {
  if (findings.length > 0) return 'Cache break';
  if (missed > 0) return 'Cache miss';
  return firstChange === undefined ? 'Prefix kept' : 'Prefix cut, nothing paid for again';
}

/** Where the cached prefix ended, why, and what that cost, as `ctx cache-lint` says it. */
export function CacheCard({ session, diff }: CardProps): ReactNode {
  const { findings, price, pricesDate, expectedTokens, reportedTokens, missed: each } = diff.cache;
  const all = `${countText(diff.tokensAfter)} tokens`;
  const both = Math.min(
    diff.tokensBefore,
    diff.tokensAfter,
    diff.cache.firstChange?.prefixTokens ?? Infinity,
  );
  // What nothing had changed, and the provider did not find in its cache.
  const missed = missedTokens(both, reportedTokens);
  const held =
    reportedTokens === undefined
      ? `The cache was expected to hold ${countText(expectedTokens)} of ${all}.`
      : `The provider read ${countText(reportedTokens)} of ${all} from its cache.`;
  return (
    <section className="card" aria-label="Cache">
      <h2>{headingOf(diff.cache, missed)}</h2>
      <FirstChange session={session} diff={diff} />
      {findings.map((finding) => (
        <Finding key={finding.cause} finding={finding} />
      ))}
      {findings.length === 0 ? (
        <p>
          {missed === 0
            ? 'Nothing that was sent before is paid for again.'
            : `The provider's cache lacked tokens that both requests begin with: ${costText(missed, missed * each.ute, missed * each.dollars)}`}
        </p>
      ) : null}
      <p className="muted">
        {held} Prices: {price}, list of {pricesDate}.
      </p>
    </section>
  );
}
