import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { done } from '../api/ask.ts';
import { type Compaction, useCompaction, useCompactions } from '../api/queries.ts';
import { outputPath, sessionPath } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { countText } from '../parts/format.ts';
import { firstLine, PlainText } from '../parts/plain-text.tsx';
import { Shown } from '../parts/states.tsx';

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
      name="Take it back"
      question={`Take compaction ${compaction} back?`}
      act="Take it back"
      onConfirm={async () => {
        const path = { session, compaction };
        await done(
          client.POST('/v1/sessions/{session}/compactions/{compaction}/undo', { params: { path } }),
        );
        await queries.invalidateQueries({ queryKey: ['session', session] });
      }}
    >
      <p>The entries that were summed up stand in the history again.</p>
    </Confirm>
  );
}

function Entries({ whole }: { whole: Compaction }): ReactNode {
  return (
    <div className="pieces">
      {whole.summarised.map(({ index, entry }) => (
        <details className="piece" key={index}>
          <summary data-row>
            <span
              className={`swatch tone-${entry['role'] === 'assistant' ? 'assistant' : 'user'}`}
            />
            <span className="piece-name">{firstLine(String(entry['role']))}</span>
            <span className="clip">{firstLine(String(entry['content']))}</span>
          </summary>
          <PlainText text={String(entry['content'])} label={`Entry ${index}`} />
        </details>
      ))}
      {whole.offloaded.map(({ index, outputId }) => (
        <p key={`o${index}`}>
          Entry {index} is kept whole: <Link href={outputPath(outputId)}>read it</Link>
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
            <section className="card">
              <h3>Before: {countText(whole.summarised.length)} entries</h3>
              <Entries whole={whole} />
            </section>
            <section className="card">
              <h3>After: one summary</h3>
              <PlainText text={whole.summary} label="Summary" />
              {whole.factsDropped.length === 0 ? null : (
                <>
                  <h3>Facts that left</h3>
                  <PlainText text={whole.factsDropped.join('\n')} label="Facts that left" />
                </>
              )}
            </section>
          </div>
          <Commands
            cli={['diff', session]}
            api={`/v1${sessionPath(session, `/compactions/${compaction}`)}`}
          />
        </>
      )}
    </Shown>
  );
}
