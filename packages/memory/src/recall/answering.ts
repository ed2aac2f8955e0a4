import type { AgentFact } from '@ctx/store';
import { answers, missesPoint, questionsIn } from './asked-matter.ts';
import { answersFor } from './asked-person.ts';
import { isOfOtherPart } from './asked-project.ts';

/** Which facts answer a query in other words, and which can answer it at all. */
export function answering(
  query: string,
  facts: readonly AgentFact[],
  owners: readonly string[],
): {
  readonly isAsked: (fact: AgentFact) => boolean;
  readonly mayAnswer: (fact: AgentFact) => boolean;
} {
  const questions = questionsIn(query);
  const ways = questions.map((question) => answers(query, question));
  const misses = questions.map((question) => missesPoint(query, question));
  const isMeant = answersFor(query, facts, owners);
  const isOther = isOfOtherPart(query);
  const isAsked = (fact: AgentFact): boolean =>
    ways.some((way) => way(fact)) && (fact.detail?.subject !== 'user' || isMeant(fact));
  const isAnswered = facts.some((fact) => fact.detail?.subject === 'project' && isAsked(fact));
  // Where the project's database answers, the user's job as a data scientist does not.
  const isElse = ({ detail }: AgentFact): boolean => isAnswered && detail?.subject === 'user';
  return {
    isAsked,
    mayAnswer: (fact) =>
      isAsked(fact) ||
      (isMeant(fact) &&
        !isOther(fact) &&
        !isElse(fact) &&
        !misses.some((isMissed) => isMissed(fact))),
  };
}
