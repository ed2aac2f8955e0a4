import type { ReactNode } from 'react';
import { type Timeline, useTimeline } from '../../api/queries.ts';
import { modeNamed, modeNames, type SessionMode } from '../../api/session-mode.ts';
import { countText } from '../../parts/text/format.ts';

function messagesText(count: number, rest: string): string {
  return `${countText(count)} earlier ${count === 1 ? 'message' : 'messages'} ${rest}`;
}

/** What the chosen mode shows, in a sentence or two. Pure. */
export function modeText(mode: SessionMode, { requests, imported }: Timeline): string {
  const aside = imported?.messagesAside ?? 0;
  if (mode !== 'recorded') {
    const begin =
      aside === 0 ? '' : messagesText(aside, 'had been compacted and are not replayed.');
    return `No agent sent these requests: ctx replays the conversation as the agent last saw it. ${begin}`;
  }
  const reported = requests.filter((request) => request.reported !== undefined).length;
  if (reported === 0) return 'The transcript reports no usage: all sizes are estimated.';
  const sizes =
    reported === requests.length
      ? 'The provider reported all sizes; what the transcript does not contain counts as system and tools.'
      : `The provider reported ${countText(reported)} of ${countText(requests.length)} sizes; the others are estimated.`;
  return aside === 0
    ? sizes
    : `${sizes} ${messagesText(aside, 'were removed by its compactions.')}`;
}

interface NoteProps {
  readonly session: string;
  readonly mode: SessionMode;
  readonly onMode: (mode: SessionMode) => void;
  /** Whether the session can be shown in the mode: its replay, if it needs one, is done. */
  readonly isReady: boolean;
}

/** Says of an imported session what the page shows of it, and offers the other ways. */
export function ImportedNote({ session, mode, onMode, isReady }: NoteProps): ReactNode {
  const { data, isPlaceholderData } = useTimeline(session, { isOn: isReady });
  if (isReady && data?.imported === undefined) return null;
  return (
    <section className="card note" aria-label="Imported session">
      <label>
        <strong>This session was imported.</strong> Show it{' '}
        <select
          value={mode}
          onChange={({ target }) => {
            onMode(modeNamed(target.value));
          }}
        >
          {Object.entries(modeNames).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <span className="muted" role="status">
        {isReady && data !== undefined && !isPlaceholderData ? modeText(mode, data) : null}
      </span>
    </section>
  );
}
