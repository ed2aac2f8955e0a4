import type { ContextOptions } from '../with-context/open-context.ts';
import { type ContextClient, type FetchClient, withClient } from '../with-context/with-client.ts';
import { chatWire } from './chat/chat-wire.ts';
import { responsesWire } from './responses/responses-wire.ts';

/**
 * Puts ctx between OpenAI's client and its API: `const client = withContext(new OpenAI(), { session })`. Call `responses` and
 * `chat.completions` as before (`create`, `stream`, `parse`, `runTools`), with the whole conversation each time. Every request fits, the
 * model can read back what was removed without the host noticing, and a request that is refused as too long is sent again with less.
 *
 * The given client is not changed; every other call of the API goes through untouched, and so do requests with `n` above 1 or
 * `background`. The session is opened by the first request. `await using` or `end()` ends it and closes a store that was opened here.
 */
export function withContext<Client extends FetchClient>(
  client: Client,
  options: ContextOptions,
): Client & ContextClient {
  return withClient(client, options, [responsesWire, chatWire]);
}
