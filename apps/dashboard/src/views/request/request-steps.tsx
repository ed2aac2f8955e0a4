import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { type TimelineRequest, useTimeline } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { markOf } from '../../parts/request-marks.ts';
import { countedText } from '../../parts/text/format.ts';

/** How long each request is shown while the session plays, ms. */
const playMs = 400;

interface Mark {
  readonly number: number;
  readonly tone: string;
  readonly text: string;
}

function marksOf(requests: readonly TimelineRequest[]): Mark[] {
  return requests.flatMap((request, index): Mark[] => {
    const [tone, text] = markOf(request, requests[index - 1]) ?? [];
    return tone === undefined || text === undefined ? [] : [{ number: request.number, tone, text }];
  });
}

interface TrackProps {
  readonly marks: readonly Mark[];
  readonly first: number;
  readonly last: number;
}

/** What happened, below the slider: each mark under the request that it belongs to. */
function Track({ marks, first, last }: TrackProps): ReactNode {
  const text = `${countedText(marks.length, 'request')} with a flush, compaction, rewind, cache miss or read-back`;
  return (
    <svg className="track" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img">
      <title>{text}</title>
      {marks.map(({ number, tone }) => {
        const x = ((number - first) / Math.max(1, last - first)) * 1000;
        return <line key={number} className={`mark tone-${tone}`} x1={x} x2={x} y1={0} y2={8} />;
      })}
    </svg>
  );
}

interface StepsProps {
  readonly session: string;
  readonly number: number;
  readonly first: number;
  readonly last: number;
  readonly name: string;
  /** Address of a request below that of the session. */
  readonly pathOf: (number: number) => string;
  readonly children?: ReactNode;
}

/** Goes on by one every so often while it plays, once the last step is on the page; stops at the end. */
function usePlay(number: number, last: number, go: (number: number) => void) {
  const [isPlaying, setPlaying] = useState(false);
  const queries = useQueryClient();
  const isOn = isPlaying && number < last;
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => {
      if (queries.isFetching() === 0) go(number + 1);
    }, playMs);
    return () => {
      clearInterval(timer);
    };
  });
  const toggle = (): void => {
    if (!isOn && number >= last) return;
    setPlaying(!isOn);
  };
  return [isOn, toggle] as const;
}

interface StepProps {
  readonly text: string;
  readonly label?: string;
  /** The request to go to; missing where there is none. */
  readonly at?: number;
  readonly go: (number: number) => void;
}

function Step({ text, label, at, go }: StepProps): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={at === undefined}
      onClick={() => {
        if (at !== undefined) go(at);
      }}
    >
      {text}
    </button>
  );
}

/** Steps through the requests of a session: one by one, by slider, from mark to mark, or playing. */
export function RequestSteps(props: StepsProps): ReactNode {
  const { session, number, first, last, name, pathOf, children } = props;
  const [, navigate] = useLocation();
  const marks = marksOf(useTimeline(session).data?.requests ?? []);
  const go = (at: number): void => {
    const { search } = window.location;
    // A step is no place to go back to: 20 of them would bury where the reader came from.
    navigate(`${sessionPath(session, pathOf(at))}${search}`, { replace: true });
  };
  const [isPlaying, togglePlay] = usePlay(number, last, go);
  const earlier = marks.findLast((mark) => mark.number < number && mark.number >= first);
  const later = marks.find((mark) => mark.number > number);
  const within = (at: number | undefined) =>
    at === undefined || at < first || at > last ? {} : { at };
  return (
    <div className="steps">
      <Step text="← Earlier" {...within(number - 1)} go={go} />
      <span className="scrubber">
        <input
          type="range"
          min={first}
          max={last}
          value={number}
          aria-label="Request"
          aria-valuetext={name}
          onChange={({ target }) => {
            go(Number(target.value));
          }}
        />
        <Track marks={marks} first={first} last={last} />
      </span>
      <Step text="Later →" {...within(number + 1)} go={go} />
      <button type="button" disabled={number >= last} aria-pressed={isPlaying} onClick={togglePlay}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <Step text="← Event" label="Previous event" {...within(earlier?.number)} go={go} />
      <Step text="Event →" label="Next event" {...within(later?.number)} go={go} />
      <strong className="number">{name}</strong>
      {children}
    </div>
  );
}
