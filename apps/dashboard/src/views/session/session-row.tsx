import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { dollarsOf, type SessionCost } from '../../api/cost-queries.ts';
import { type SessionEntry, type Use, useUse } from '../../api/queries.ts';
import { agentPath, sessionPath } from '../../parts/addresses.ts';
import { Bar } from '../../parts/charts/stacked-bar.tsx';
import type { Column } from '../../parts/lists/table.tsx';
import { Ago } from '../../parts/text/ago.tsx';
import { countText, moneyText, shareText } from '../../parts/text/format.ts';
import { useParts } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

/** Whether an element has been on the screen: only then is what it shows asked for. */
function useSeen(): readonly [RefObject<HTMLTableRowElement | null>, boolean] {
  const ref = useRef<HTMLTableRowElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (ref.current !== null) observer.observe(ref.current);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [ref, isSeen];
}

/** How full the last request was; empty until that is known. */
function Fill({ use, isKnown }: { use: Use | undefined; isKnown: boolean }): ReactNode {
  if (!use?.tokens) {
    return (
      <>
        <td className="bar-cell muted">{isKnown && 'no request yet'}</td>
        <td className="number" />
        <td className="number wide" />
      </>
    );
  }
  const { tokens, windowTokens, reserveTokens } = use;
  const limitTokens = windowTokens - reserveTokens;
  return (
    <>
      <td className="bar-cell">
        <Bar
          label={`${shareText(tokens, limitTokens)} of limit`}
          parts={useParts(use)}
          whole={windowTokens}
          limit={limitTokens}
        />
      </td>
      <td className="number">{countText(tokens)}</td>
      <td className="number wide">{shareText(tokens, limitTokens)}</td>
    </>
  );
}

interface RowProps {
  readonly entry: SessionEntry;
  /** What it cost, and what its last request held, where that is known. */
  readonly cost?: SessionCost;
}

/** A session in a list, with how full its last request was. */
export function SessionRow({ entry, cost }: RowProps): ReactNode {
  const { id, title, agentId, updatedAt } = entry;
  const [ref, isSeen] = useSeen();
  const { data = cost?.cost } = useUse(id, isSeen && !cost);
  return (
    <tr ref={ref} className="session">
      <td className="clip">
        <div className="session-name">
          {cost === undefined ? null : (
            <span className="tag">{moneyText(dollarsOf(cost.cost?.models))}</span>
          )}
          <Link href={sessionPath(id)} className="row-link clip" data-row title={title}>
            <strong>{firstLine(title ?? id)}</strong>
          </Link>
          {title === undefined ? null : (
            <span className="muted clip" title={id}>
              {firstLine(id)}
            </span>
          )}
        </div>
      </td>
      <Fill use={data?.use} isKnown={data !== undefined} />
      <td className="name wide">
        {agentId === undefined ? null : (
          <Link href={agentPath(agentId)} className="over-row">
            {firstLine(agentId)}
          </Link>
        )}
      </td>
      <td className="number muted wide">
        <Ago at={updatedAt} />
      </td>
    </tr>
  );
}

/** The columns of its cells. */
export const sessionColumns: readonly Column[] = [
  ['Session'],
  ['Context'],
  ['Tokens', 'number'],
  ['% of limit', 'number wide'],
  ['Agent', 'wide'],
  ['Changed', 'number wide'],
];
