import { extractive } from '../extractive/extractive.ts';
import { membersOf } from '../summary/chain.ts';
import type { Summarizer, SummaryDraft, SummaryRequest } from '../summary/summarizer.ts';
import {
  type CompactionVerdict,
  type VerifyCompactionOptions,
  verifyCompaction,
} from '../verify/verify-compaction.ts';
import type { SummaryAttempt } from './receipt.ts';
import { type Timed, withinTime } from './within-time.ts';

/** What an accepted summary is, and what it took to get it. */
export interface Summarised {
  readonly summarizer?: Summarizer;
  /** Absent where no summary was accepted. */
  readonly verdict?: CompactionVerdict;
  readonly attempts: readonly SummaryAttempt[];
}

/** How often and how long each summariser is asked. */
export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Asked again after a summary that failed its check. */
  readonly retries: number;
  /** What the summariser without a model may take in place of the request's `maxTokens`. */
  readonly extractiveTokens: number;
}

/**
 * Asks the summarisers in their order until a summary passes its check; the last one is always the one without a model.
 * Whatever a summariser does, this ends; a summariser that failed its check is asked once more, one that hangs is not.
 * @throws `CTX_ABORTED` where the caller's signal is aborted.
 */
export async function summarise(
  summarizer: Summarizer,
  request: SummaryRequest,
  options: AskOptions & { readonly verify: VerifyCompactionOptions },
): Promise<Summarised> {
  const attempts: SummaryAttempt[] = [];
  for (const member of withLastResort(membersOf(summarizer))) {
    const isExtractive = member.name === extractiveName;
    const maxTokens = isExtractive ? options.extractiveTokens : request.maxTokens;
    for (let retry = 0; retry <= options.retries; retry += 1) {
      const work = (signal: AbortSignal): Promise<SummaryDraft> =>
        member.summarize({ ...request, maxTokens, signal });
      const timed = await withinTime(work, options);
      const verify = { ...options.verify, maxTokens, ...sectionsOf(member) };
      const verdict =
        timed.outcome === 'done' ? verifyCompaction(draftOf(timed.result), verify) : undefined;
      attempts.push(attemptOf(member, timed, verdict));
      if (verdict?.accepted === true) return { summarizer: member, verdict, attempts };
      if (timed.outcome === 'timed-out' || isExtractive) break;
    }
  }
  return { attempts };
}

/** A summariser is held to the sections that it promises. */
export function sectionsOf({ sections }: Summarizer): { readonly sections?: readonly string[] } {
  return sections === undefined ? {} : { sections };
}

const extractiveName = extractive().name;

function withLastResort(members: readonly Summarizer[]): readonly Summarizer[] {
  const hasOne = members.at(-1)?.name === extractiveName;
  return hasOne ? members : [...members, extractive()];
}

/** A summariser of a stranger may return anything at all: what is no draft is an empty one. */
function draftOf(given: unknown): SummaryDraft {
  const isDraft =
    typeof given === 'object' &&
    given !== null &&
    'text' in given &&
    typeof given.text === 'string' &&
    'finish' in given;
  return isDraft ? (given as SummaryDraft) : { text: '', finish: 'other' }; // Checked above.
}

function attemptOf(
  { name }: Summarizer,
  timed: Timed<SummaryDraft>,
  verdict: CompactionVerdict | undefined,
): SummaryAttempt {
  if (timed.outcome !== 'done' || verdict === undefined) {
    const outcome = timed.outcome === 'timed-out' ? 'timed-out' : 'failed';
    return { summarizer: name, outcome, problems: [] };
  }
  const draft = draftOf(timed.result);
  return {
    summarizer: name,
    outcome: verdict.accepted ? 'accepted' : 'refused',
    finish: draft.finish,
    problems: verdict.problems,
    ...(draft.usage === undefined ? {} : { usage: draft.usage }),
  };
}
