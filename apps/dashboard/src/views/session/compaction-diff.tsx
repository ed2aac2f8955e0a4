import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { done } from '../../api/ask.ts';
import { type Compaction, useCompaction, useCompactions } from '../../api/queries.ts';
import { outputPath, sessionPath } from '../../parts/addresses.ts';
import { Commands, sessionCommand } from '../../parts/controls/commands.tsx';
import { Confirm } from '../../parts/controls/confirm.tsx';
import { KeepAsItem } from '../../parts/controls/keep-as-item.tsx';
import { Piece } from '../../parts/lists/pieces.tsx';
import { Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { TextViewer } from '../../parts/text/text-viewer.tsx';

interface Place {
  readonly session: string;
  readonly compaction: number;
}

function Undo({ session, compaction }: Place): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const newest = useCompactions(session).data?.compactions.find(({ state }) => state === 'applied');
  if (newest?.sequence !== compaction) return null;
  return (
    <Confirm
      name="Undo"
      question={`Undo compaction ${compaction}?`}
      act="Undo"
      onConfirm={async () => {
        const path = { session, compaction };
        await done(
          client.POST('/v1/sessions/{session}/compactions/{compaction}/undo', { params: { path } }),
        );
        await queries.invalidateQueries({ queryKey: ['session', session] });
      }}
    >
      <p>The summarized entries return to the history.</p>
    </Confirm>
  );
}

interface EntryProps {
  readonly session: string;
  readonly index: number;
  readonly entry: Compaction['summarised'][number]['entry'];
}

function EntryPiece({ session, index, entry }: EntryProps): ReactNode {
  const [text, role] = [String(entry['content']), String(entry['role'])];
  return (
    <Piece tone={role === 'assistant' ? role : 'user'} name={role} text={text}>
      <TextViewer text={text} label={`Entry ${index}`} />
      <div className="actions">
        <KeepAsItem session={session} text={text} />
      </div>
    </Piece>
  );
}

function Entries({ session, whole }: { session: string; whole: Compaction }): ReactNode {
  return (
    <div className="pieces is-talk">
      {whole.summarised.map(({ index, entry }) => (
        <EntryPiece key={index} session={session} index={index} entry={entry} />
      ))}
      {whole.offloaded.map(({ index, outputId }) => (
        <p key={`o${index}`} className="piece">
          Entry {index} is stored in full: <Link href={outputPath(outputId)}>read it</Link>
        </p>
      ))}
    </div>
  );
}

/** What one compaction did: what was summed up, and what stands there now. */
export function CompactionDiff({ session, compaction }: Place): ReactNode {
  const query = useCompaction(session, compaction);
  return (
    <Shown query={query}>
      {(whole) => (
        <>
          <div className="heading">
            <h2>
              Compaction {compaction}: {countText(whole.compaction.tokensBefore)} →{' '}
              {countText(whole.compaction.tokensAfter)} tokens
            </h2>
            <Undo session={session} compaction={compaction} />
          </div>
          <div className="columns">
            <section aria-label="Before">
              <h2>
                Before:{' '}
                {whole.summarised.length === 1
                  ? '1 entry'
                  : `${countText(whole.summarised.length)} entries`}
              </h2>
              <Entries session={session} whole={whole} />
            </section>
            <section aria-label="After">
              <h2>After: one summary</h2>
              <TextViewer text={whole.summary} label="Summary" />
              {whole.factsDropped.length === 0 ? null : (
                <>
                  <h2>Facts removed</h2>
                  <TextViewer text={whole.factsDropped.join('\n')} label="Facts removed" />
                </>
              )}
            </section>
          </div>
          <Commands
            cli={sessionCommand('compact', session, ['--list'])}
            api={`/v1${sessionPath(session, `/compactions/${compaction}`)}`}
          />
        </>
      )}
    </Shown>
  );
}
