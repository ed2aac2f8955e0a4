import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { ask } from '../../api/ask.ts';
import type { Json } from '../../api/json.ts';
import { useModeQuery } from '../../api/session-mode.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { missNames } from '../../parts/request-cost.ts';
import { countText, moneyText, shareText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

type Hints = Json<'/v1/sessions/{session}/hints'>;
type Hint = Hints['hints'][number];

/** Loads once, when the view opens: the server reads the whole session for it. */
function useHints(session: string): UseQueryResult<Hints> {
  const { client } = useApi();
  const mode = useModeQuery();
  const params = { path: { session }, query: mode };
  return useQuery({
    queryKey: ['hints', session, mode.mode],
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    queryFn: () => ask(client.GET('/v1/sessions/{session}/hints', { params })),
  });
}

/** What a hint says, and where it can be seen. */
interface HintText {
  readonly text: string;
  readonly path: string;
  readonly link: string;
}

/** A hint in words. Pure. */
export function hintText(hint: Hint): HintText {
  switch (hint.kind) {
    case 'near-limit':
      return {
        text: `The last request is at ${shareText(hint.tokens, hint.limitTokens)} of the limit: ${countText(hint.tokens)} of ${countText(hint.limitTokens)} tokens.`,
        path: '/timeline',
        link: 'Show the timeline',
      };
    case 'cache-breaks':
      return {
        text: `The cache missed ${countText(hint.times)} times (${missNames[hint.cause] ?? 'cause unknown'}): ${countText(hint.tokens)} tokens were paid for again, ${moneyText(hint.dollars)} extra (${hint.isReported ? 'reported' : 'estimated'}).`,
        path: `/changes/${hint.request}`,
        link: 'Show the last one',
      };
    case 'repeated-reads':
      return {
        text: `${firstLine(hint.file)} was read in full ${countText(hint.times)} times${hint.unchanged === 0 ? '' : `, ${countText(hint.unchanged)} times unchanged`}: ${countText(hint.tokens)} tokens after the first read.`,
        path: '/heat',
        link: 'Show its heat',
      };
    case 'lost-pinned':
      return {
        text: `A compaction removed text that is pinned as an item, in a piece of ${countText(hint.tokens)} tokens.`,
        path: `/request?segment=${hint.segment}`,
        link: 'Show the piece',
      };
  }
}

/** Shows the hints of a session; renders nothing if there are none. */
export function Hints({ session }: { session: string }): ReactNode {
  const { data } = useHints(session);
  if (data === undefined || data.hints.length === 0) return null;
  return (
    <section className="card hints" aria-label="Hints">
      <h2>Hints</h2>
      <ul>
        {data.hints.map((hint, place) => {
          const { text, path, link } = hintText(hint);
          return (
            <li key={place}>
              {text} <Link href={sessionPath(session, path)}>{link}</Link>
            </li>
          );
        })}
      </ul>
      {data.leftOut === 0 ? null : <p className="muted">{countText(data.leftOut)} more hints.</p>}
    </section>
  );
}
