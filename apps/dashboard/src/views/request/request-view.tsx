import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import type { Segment, View } from '../../api/queries.ts';
import { usePrefetchedViews, useSegment, useView } from '../../api/view-queries.ts';
import {
  outputOfPointer,
  outputPath,
  sessionPath,
  useAddressState,
} from '../../parts/addresses.ts';
import { Bar } from '../../parts/charts/stacked-bar.tsx';
import { Legend, Swatch } from '../../parts/charts/swatch.tsx';
import { WhyCommands } from '../../parts/controls/commands.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { Share } from '../../parts/controls/share.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import type { Column } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { countedText, countText } from '../../parts/text/format.ts';
import { showsAll, windowParts, windowTones } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { TextDiff } from '../../parts/text/text-diff.tsx';
import { TextViewer } from '../../parts/text/text-viewer.tsx';
import { RequestSteps } from './request-steps.tsx';

interface PlaceProps {
  readonly session: string;
  /** The request that is asked for, from 1; one more than there are: as it stands. */
  readonly number: number;
  readonly view: View;
  /** Whether the view is still that of another request. */
  readonly isOther: boolean;
}

/** Where the reader is, and what the request was made of. */
function Place({ session, number, view, isOther }: PlaceProps): ReactNode {
  const { requests } = view;
  const isNow = number > requests;
  return (
    <>
      <RequestSteps
        session={session}
        number={number}
        first={1}
        last={requests + 1}
        name={isNow ? 'As it stands' : `Request ${number} of ${requests}`}
        pathOf={(at) => (at > requests ? '/request' : `/request/${at}`)}
      >
        <span className="muted number count">
          {`${isOther ? '…' : countText(view.tokens)} of ${countText(view.limitTokens)} tokens`}
        </span>
        {isNow || number < 2 ? null : (
          <Link href={sessionPath(session, `/changes/${number}`)}>What changed</Link>
        )}
      </RequestSteps>
      <Bar
        label="The window by kind, with its limit and reserve"
        parts={windowParts(view)}
        whole={view.windowTokens}
        limit={view.limitTokens}
      />
      <Legend tones={windowTones} />
      {isNow ? null : (
        <div className="actions">
          <Share session={session} at={number} />
        </div>
      )}
    </>
  );
}

interface SegmentTextProps {
  readonly session: string;
  readonly at: number | undefined;
  readonly segment: number;
}

function SegmentText({ session, at, segment }: SegmentTextProps): ReactNode {
  const query = useSegment(session, segment, { at });
  return (
    <Shown query={query}>
      {({ original, shown = '' }) =>
        original === undefined ? (
          <TextViewer text={shown} label="What was shown" />
        ) : (
          <TextDiff before={original} after={shown} />
        )
      }
    </Shown>
  );
}

interface Step {
  readonly session: string;
  readonly at: number | undefined;
}

interface RowProps extends Step {
  readonly segment: Segment;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function SegmentRow({ session, at, segment, isOpen, onOpen }: RowProps): ReactNode {
  const { kind, toolName, why, tokensBefore, tokensAfter, shown, original, pointer } = segment;
  const output = outputOfPointer(pointer);
  return (
    <div className={`segment ${shown === undefined ? 'is-gone' : ''}`}>
      <button
        type="button"
        className="plain segment-head"
        aria-expanded={isOpen}
        onClick={onOpen}
        data-row
      >
        <span className="clip">
          <Swatch tone={kind} />
          <strong>{firstLine(toolName ?? kind)}</strong>
        </span>
        <span className="clip">{firstLine(shown ?? original ?? '')}</span>
        <span className="number muted">
          {tokensAfter === tokensBefore ? '' : countText(tokensBefore)}
        </span>
        <span className="number">{countText(tokensAfter)}</span>
      </button>
      <span className="why muted">{why}</span>
      {isOpen ? (
        <>
          <SegmentText session={session} at={at} segment={segment.segment} />
          {output === undefined ? (
            <code className="muted">{pointer}</code>
          ) : (
            <Link href={outputPath(output)}>Open the output</Link>
          )}
        </>
      ) : null}
    </div>
  );
}

const columns: readonly Column[] = [
  ['From'],
  ['What the model saw, and why'],
  ['Received', 'number'],
  ['Shown', 'number'],
];

function SegmentList({ segments, ...step }: Step & { segments: readonly Segment[] }): ReactNode {
  const [open, setOpen] = useAddressState('segment');
  return (
    <LiveList
      columns={columns}
      rowClass="segment-head"
      rows={segments}
      label="Segments"
      keyOf={({ segment }) => segment}
      height={54}
      className="is-segments"
      first={segments.findIndex(({ segment }) => String(segment) === open)}
      isMeasured
    >
      {(segment) => {
        const name = String(segment.segment);
        return (
          <SegmentRow
            {...step}
            segment={segment}
            isOpen={name === open}
            onOpen={() => {
              setOpen(name === open ? undefined : name);
            }}
          />
        );
      }}
    </LiveList>
  );
}

function Segments({ view, ...step }: Step & { view: View }): ReactNode {
  const [only, setOnly] = useAddressState('only');
  const found = useMemo(
    () =>
      view.segments.filter(
        ({ cause, form }) =>
          only === '' || (only === 'left') === (cause !== undefined || !showsAll(form)),
      ),
    [view.segments, only],
  );
  const all = view.kinds.reduce((sum, { segments }) => sum + segments, 0);
  return (
    <>
      <div className="filters">
        <SearchField label="Find in this request" />
        <select
          aria-label="Which pieces"
          value={only}
          onChange={({ target }) => {
            setOnly(target.value);
          }}
        >
          <option value="">all pieces</option>
          <option value="whole">shown as received</option>
          <option value="left">changed or removed</option>
        </select>
        <span className="muted number count" role="status">
          {`${countText(found.length)} of ${countedText(all, 'piece')}`}
        </span>
      </div>
      {view.summary === undefined ? null : (
        <TextViewer text={view.summary} label="Summary of the oldest messages" />
      )}
      <SegmentList segments={found} {...step} />
    </>
  );
}

/** The request as the model saw it, at any step, with the reason of each segment. */
export function RequestView({ session, at }: { session: string; at?: number }): ReactNode {
  const [find] = useAddressState('q');
  const query = useView(session, { at, find });
  const { data, isPlaceholderData } = query;
  const number = at ?? (data?.requests ?? 0) + 1;
  const last = isPlaceholderData ? 0 : (data?.requests ?? 0);
  const neighbours = [number - 1, number + 1].filter((one) => one >= 1 && one <= last);
  usePrefetchedViews(session, neighbours);
  const path = at === undefined ? '/view' : `/view?at=${at}`;
  return (
    <Shown query={query}>
      {(view) =>
        view.kinds.length === 0 ? (
          <Empty title="No requests yet">
            <p>The first request of this session appears here.</p>
          </Empty>
        ) : (
          <>
            <Place session={session} number={number} view={view} isOther={isPlaceholderData} />
            <Segments session={session} at={at} view={view} />
            <WhyCommands
              session={session}
              isImported={view.imported !== undefined}
              flags={at === undefined ? [] : ['--at', String(at)]}
              api={`/v1${sessionPath(session, path)}`}
            />
          </>
        )
      }
    </Shown>
  );
}
