import type { ContextStore } from '@ctx/store';
import type { ReadBackAnswer } from './read-back-answer.ts';
import type { ReadOutputArgs } from './read-output-args.ts';

/**
 * Reads a part of a stored output, or of messages that left the view, as text for a model. Above an output stands the call
 * that it came from. Pictures and documents of the part that is read come beside the text.
 * At most about `maxAnswerCharacters`, and it says where it goes on.
 * @throws `CTX_NOT_FOUND`, `CTX_INVALID_INPUT`.
 */
export async function readOutput(
  store: ContextStore,
  args: ReadOutputArgs,
  sessionId?: string,
): Promise<ReadBackAnswer> {
  const { answerRead } = await import('./answer-read.ts');
  return answerRead(store, args, sessionId);
}
