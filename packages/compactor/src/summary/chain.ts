import { CtxError } from '@ctx/core';
import { checkSummarizer } from './check-inputs.ts';
import type { Summarizer, SummaryDraft, SummaryRequest } from './summarizer.ts';

/**
 * Tries several summarisers in their order. A compaction takes the first whose summary passes its check; used alone, the chain takes
 * the first that finishes with a text.
 * @throws `CTX_INVALID_OPTION` where there is none; the last error where all fail.
 */
export function chain(...summarizers: readonly Summarizer[]): Summarizer {
  summarizers.forEach(checkSummarizer);
  const members = summarizers.flatMap((summarizer) => membersOf(summarizer));
  if (members.length === 0) throw new CtxError('CTX_INVALID_OPTION', 'a chain needs a summariser');
  return {
    name: members.map(({ name }) => name).join(' → '),
    members,
    summarize: (request) => firstFinished(members, request),
  };
}

/** The single summarisers of one, in the order in which they are tried. */
export function membersOf(summarizer: Summarizer): readonly Summarizer[] {
  return summarizer.members ?? [summarizer];
}

async function firstFinished(
  members: readonly Summarizer[],
  request: SummaryRequest,
): Promise<SummaryDraft> {
  let failure: unknown;
  for (const member of members) {
    request.signal?.throwIfAborted();
    try {
      const draft = await member.summarize(request);
      if (draft.finish === 'stop' && draft.text.trim() !== '') return draft;
    } catch (error) {
      failure = error;
    }
  }
  throw new CtxError('CTX_NOT_FOUND', 'no summariser of the chain finished', { cause: failure });
}
