import { type ReactNode, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { type Segment, useView, type View } from '../../api/queries.ts';
import {
  outputOfPointer,
  outputPath,
  sessionPath,
  useAddressState,
} from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { Commands } from '../../parts/controls/commands.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import type { Column } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { showsAll } from '../../parts/text/kinds.ts';
import { firstLine, PlainText } from '../../parts/text/plain-text.tsx';
import { TextDiff } from '../../parts/text/text-diff.tsx';

function Steps({ session, view }: { session: string; view: View }): ReactNode {
  const [, navigate] = useLocation();
  const { number, requests } = view;
  const isNow = number > requests;
  const go = (at: number): void => {
    navigate(sessionPath(session, at > requests ? '/request' : `/request/${at}`));
  };
  return (
    <div className="steps">
      <button
        type="button"
        disabled={number <= 1}
        onClick={() => {
          go(number - 1);
        }}
      >
        ← Earlier
      </button>
      <input
        type="range"
        min={1}
        max={requests + 1}
        value={number}
        aria-label="Request"
        aria-valuetext={isNow ? 'as it stands' : `request ${number}`}
        onChange={({ target }) => {
          go(Number(target.value));
        }}
      />
      <button
        type="button"
        disabled={isNow}
        onClick={() => {
          go(number + 1);
        }}
      >
        Later →
      </button>
      <strong className="number">
        {isNow ? 'As it stands' : `Request ${number} of ${requests}`}
      </strong>
      <span className="muted number count">
        {`${countText(view.tokens)} of ${countText(view.limitTokens)} tokens`}
      </span>
    </div>
  );
}

function SegmentText({ segment }: { segment: Segment }): ReactNode {
  const { shown, original } = segment;
  if (original !== undefined) return <TextDiff before={original} after={shown ?? ''} />;
  return <PlainText text={shown ?? ''} label="What was shown" />;
}

interface RowProps {
  readonly segment: Segment;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function SegmentRow({ segment, isOpen, onOpen }: RowProps): ReactNode {
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
          <SegmentText segment={segment} />
          {output === undefined ? (
            <code className="muted">{pointer}</code>
          ) : (
            <Link href={outputPath(output)}>Read the whole output</Link>
          )}
        </>
      ) : null}
    </div>
  );
}

const columns: readonly Column[] = [
  ['From'],
  ['What the model saw, and why'],
  ['As it came', 'number'],
  ['Shown', 'number'],
];

function SegmentList({ segments }: { segments: readonly Segment[] }): ReactNode {
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

function Segments({ view }: { view: View }): ReactNode {
  const [only, setOnly] = useAddressState('only');
  const [q] = useAddressState('q');
  const found = useMemo(() => {
    const words = q.toLowerCase();
    return view.segments.filter(
      ({ shown = '', original = '', toolName = '', cause, form }) =>
        (only === '' || (only === 'left') === (cause !== undefined || !showsAll(form))) &&
        `${toolName} ${shown} ${original}`.toLowerCase().includes(words),
    );
  }, [view.segments, only, q]);
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
          <option value="whole">shown as they came</option>
          <option value="left">changed or left</option>
        </select>
        <span className="muted number count" role="status">
          {`${countText(found.length)} of ${countText(view.segments.length)} pieces`}
        </span>
      </div>
      {view.summary === undefined ? null : (
        <PlainText text={view.summary} label="Summary of the oldest messages" />
      )}
      <SegmentList segments={found} />
    </>
  );
}

/** The request as the model saw it, at any step, with the reason of each segment. */
export function RequestView({ session, at }: { session: string; at?: number }): ReactNode {
  const query = useView(session, { ...(at === undefined ? {} : { at }), characters: 4000 });
  const path = at === undefined ? '/view' : `/view?at=${at}`;
  return (
    <Shown query={query}>
      {(view) =>
        view.segments.length === 0 ? (
          <Empty title="Nothing was sent yet">
            <p>The first request of this session appears here.</p>
          </Empty>
        ) : (
          <>
            <Steps session={session} view={view} />
            <Segments view={view} />
            <Commands
              cli={['why', session, ...(at === undefined ? [] : ['--at', String(at)])]}
              api={`/v1${sessionPath(session, path)}`}
            />
          </>
        )
      }
    </Shown>
  );
}
