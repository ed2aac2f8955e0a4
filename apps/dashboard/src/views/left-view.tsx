import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCompactions, useTimeline } from '../api/queries.ts';
import { sessionPath } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { countText, timeText } from '../parts/format.ts';
import { causeNames } from '../parts/request-cost.ts';
import { Empty, Shown } from '../parts/states.tsx';

interface Leaving {
  readonly at: string;
  readonly address: string;
  readonly name: string;
  readonly why: string;
  readonly tone: string;
  readonly before: number;
  readonly after: number;
}

function useLeavings(session: string): Leaving[] {
  const requests = useTimeline(session).data?.requests ?? [];
  const compactions = useCompactions(session).data?.compactions ?? [];
  const flushes = requests.flatMap(({ flush, number, at }): Leaving[] =>
    flush === undefined
      ? []
      : [
          {
            at,
            address: sessionPath(session, `/flush/${number}`),
            name: `Flush for request ${number}`,
            why: causeNames[flush.cause] ?? flush.cause,
            tone: 'flush',
            before: flush.beforeTokens,
            after: flush.afterTokens,
          },
        ],
  );
  const summed = compactions.map(
    ({ sequence, at, strategy, state, tokensBefore, tokensAfter }): Leaving => ({
      at,
      address: sessionPath(session, `/compaction/${sequence}`),
      name: `Compaction ${sequence}`,
      why: state === 'undone' ? 'undone' : `summed up by ${strategy}`,
      tone: 'compaction',
      before: tokensBefore,
      after: tokensAfter,
    }),
  );
  return [...flushes, ...summed].sort((left, right) => right.at.localeCompare(left.at));
}

function LeavingRow({ leaving }: { leaving: Leaving }): ReactNode {
  const { at, address, name, why, tone, before, after } = leaving;
  return (
    <tr>
      <td>
        <span className={`swatch tone-${tone}`} />{' '}
        <Link href={address} data-row>
          {name}
        </Link>
      </td>
      <td>{why}</td>
      <td className="number">{countText(before)}</td>
      <td className="number">{countText(after)}</td>
      <td className="number">−{countText(before - after)}</td>
      <td className="wide">{timeText(at)}</td>
    </tr>
  );
}

/** Everything that left the window, newest first, and why. */
export function LeftView({ session }: { session: string }): ReactNode {
  const query = useTimeline(session);
  const leavings = useLeavings(session);
  return (
    <Shown query={query}>
      {() =>
        leavings.length === 0 ? (
          <Empty title="Nothing has left the window">
            <p>
              Everything that came in is still in view. Flushes and compactions appear here as they
              happen, each with what left and how it comes back.
            </p>
          </Empty>
        ) : (
          <>
            <div className="scroll" tabIndex={0} role="region" aria-label="What left">
              <table>
                <thead>
                  <tr>
                    <th>What</th>
                    <th>Why</th>
                    <th className="number">before</th>
                    <th className="number">after</th>
                    <th className="number">left</th>
                    <th className="wide">At</th>
                  </tr>
                </thead>
                <tbody>
                  {leavings.map((leaving) => (
                    <LeavingRow key={leaving.address} leaving={leaving} />
                  ))}
                </tbody>
              </table>
            </div>
            <Commands
              cli={['why', session, '--left']}
              api={`/v1${sessionPath(session, '/requests')}`}
            />
          </>
        )
      }
    </Shown>
  );
}
