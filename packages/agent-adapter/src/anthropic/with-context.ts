import type { ContextOptions } from '../with-context/open-context.ts';
import { type ContextClient, type FetchClient, withClient } from '../with-context/with-client.ts';
import { anthropicWire } from './wire/anthropic-wire.ts';

/**
 * Puts ctx between Anthropic's client and its API: `const client = withContext(new Anthropic(), { session })`. Call it as before, with the
 * whole conversation each time: `messages.create`, `stream`, `parse`, and `beta.messages` with the tool runner (`thread: false`). Every
 * request fits, the model reads back what left and the host sees none of it, usage is learned from, and a request that is refused as too
 * long is sent again with less.
 * The given client stays as it is; token counts, batches and everything else of the API go through untouched. The session is
 * opened with the first request. `await using` or `end()` ends it and closes a store that was opened here.
 */
export function withContext<Client extends FetchClient>(
  client: Client,
  options: ContextOptions,
): Client & ContextClient {
  return withClient(client, options, [anthropicWire]);
}
