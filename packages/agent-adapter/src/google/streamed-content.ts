import { listOf, recordOf } from '../openai/body-parts.ts';
import { addUsage } from '../with-context/add-usage.ts';
import type { Json, StreamedAnswer } from '../with-context/wire.ts';
import { partsOf } from './parts.ts';
import { isOwnCall, saidByContent } from './said-by-content.ts';

/** What the rounds of one request have in common. */
interface Rounds {
  usage: unknown;
  /** The last chunk of the round before, which the host gets once it is clear that it is not the end. */
  held: Json | undefined;
}

const roundsOf = new WeakMap<StreamedAnswer, Rounds>();

/** A chunk whose first candidate is another. */
function withCandidate(chunk: Json, candidate: Json): Json {
  const [, ...others] = listOf(chunk['candidates']);
  return { ...chunk, candidates: [candidate, ...others] };
}

/** A chunk that does not end the answer. */
function ongoing(chunk: Json): readonly Json[] {
  const { usageMetadata: _usage, ...rest } = chunk;
  const { finishReason: _reason, ...candidate } = recordOf(listOf(chunk['candidates'])[0]);
  const isEmpty = partsOf(recordOf(candidate['content'])).length === 0;
  return isEmpty ? [] : [withCandidate(rest, candidate)];
}

/** Adds parts of a turn: pieces of one text are put together. */
function addParts(turn: Json[], parts: readonly Json[]): void {
  for (const part of parts) {
    const last = turn.at(-1);
    const areTexts = [last, part].every(
      (one) => typeof one?.['text'] === 'string' && one['thoughtSignature'] === undefined,
    );
    if (last !== undefined && areTexts && last['thought'] === part['thought']) {
      turn[turn.length - 1] = { ...last, text: `${String(last['text'])}${String(part['text'])}` };
    } else if (part['text'] !== '' || part['thoughtSignature'] !== undefined) turn.push(part);
  }
}

/** Reads the chunks of a streamed answer, and hides the calls of ctx's tools from the host. */
export function streamedContent(
  own: ReadonlySet<string>,
  before: readonly StreamedAnswer[],
): StreamedAnswer {
  const last = before.at(-1);
  const rounds: Rounds = (last && roundsOf.get(last)) ?? { usage: undefined, held: undefined };
  const turn: Json[] = [];
  let usage: unknown;
  let isComplete = false;
  const take = (chunk: Json): readonly Json[] => {
    usage = chunk['usageMetadata'] ?? usage;
    const candidate = listOf(chunk['candidates'])[0];
    if (candidate === undefined) return [chunk];
    const content = recordOf(candidate['content']);
    addParts(turn, partsOf(content));
    const parts = partsOf(content).filter((part) => !isOwnCall(part, own));
    const shown = withCandidate(chunk, { ...candidate, content: { ...content, parts } });
    const held = rounds.held === undefined ? [] : ongoing(rounds.held);
    rounds.held = undefined;
    isComplete ||= candidate['finishReason'] !== undefined;
    if (!isComplete) return [...held, ...ongoing(shown)];
    rounds.held = shown;
    return held;
  };
  const stream: StreamedAnswer = {
    take,
    said: () => {
      if (!isComplete) return undefined;
      rounds.usage = addUsage(rounds.usage, usage);
      return saidByContent({ parts: turn }, own);
    },
    answer: () => ({ usageMetadata: usage }),
    close: () => [{ ...rounds.held, usageMetadata: rounds.usage }],
  };
  roundsOf.set(stream, rounds);
  return stream;
}
