import type { ContextStore } from '@ctx/store';
import type { HookInput } from '../hook-input.ts';

/**
 * Reads what is new in the session's transcript into the store. The readers of transcripts are loaded on the first call: most hooks
 * never need them.
 */
export async function observeSession(store: ContextStore, input: HookInput): Promise<void> {
  const { observeTranscript } = await import('./observe-transcript.ts');
  await observeTranscript(store, input);
}
