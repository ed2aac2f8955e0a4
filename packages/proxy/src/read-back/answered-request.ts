import type { Lane } from '../conversations/registry.ts';
import type { OpenProxy, Shaped } from '../exchange/types.ts';
import type { ReadRequest } from '../requests/read-request.ts';
import { readStored } from './read-stored.ts';
import { withAnswers } from './with-answers.ts';

/** The request with what was put into it before. */
export function withKnownAnswers({ answered }: Lane, request: ReadRequest): ReadRequest {
  const messages = request.messages.map((message) => answered.get(message) ?? message);
  return { ...request, messages };
}

/** The request with what its model asked the proxy for. */
export async function answeredIn(
  { options: { store } }: OpenProxy,
  { lane, opened: { dialect } }: Pick<Shaped, 'lane' | 'opened'>,
  request: ReadRequest,
): Promise<ReadRequest> {
  if (!lane.hasTool) return request;
  const { calls, answered: known, sessionId } = lane;
  const read = (args: unknown): Promise<string> => readStored({ store, sessionId }, args);
  const errors = lane.conversation?.errors() ?? new Set<string>();
  const messages = await withAnswers({ dialect, calls, read, errors, known }, request.messages);
  return { ...request, messages };
}
