import type { Message } from '@ctx/core';

/** A recorded session, ready to be replayed: the whole history, and when each answer was asked for. */
export interface ReplaySession {
  readonly id: string;
  readonly system?: string;
  /** All messages in order, valid (see `repairMessages`). Each assistant message, or run of them, is the answer to one request. */
  readonly messages: readonly Message[];
  /**
   * Time of the request that each assistant message answers, ms from the first, by the order of assistant messages.
   * Left out, or shorter than the session: 20 s a step.
   */
  readonly times?: readonly number[];
}

/** One request of the session and its answer. */
export interface ReplayStep {
  /** Index of the answer in `messages`: everything before it was known. */
  readonly answerIndex: number;
  /** Index after the answer: it goes on over assistant messages that directly follow each other. */
  readonly answerEnd: number;
  /** ms from the first request. */
  readonly time: number;
}

/** Gap between two requests where the recording has no times, ms. */
export const defaultStepMs = 20_000;

function endOfRun(messages: readonly Message[], start: number): number {
  let end = start;
  while (messages[end]?.role === 'assistant') end += 1;
  return end;
}

/** The requests of a session. An assistant message directly after another is part of the same answer. */
export function stepsOf(session: ReplaySession): ReplayStep[] {
  const steps: ReplayStep[] = [];
  let previousTime = 0;
  let answers = 0;
  session.messages.forEach((message, answerIndex) => {
    if (message.role !== 'assistant') return;
    const continues = session.messages[answerIndex - 1]?.role === 'assistant';
    const given = session.times?.[answers];
    answers += 1;
    if (continues || answerIndex === 0) return;
    const time = Math.max(
      previousTime,
      given ?? (steps.length === 0 ? 0 : previousTime + defaultStepMs),
    );
    steps.push({ answerIndex, answerEnd: endOfRun(session.messages, answerIndex), time });
    previousTime = time;
  });
  return steps;
}
