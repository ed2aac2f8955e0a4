import { isRecord } from '@ctx/core/encoding';
import type { SdkMessage } from './host-types.ts';

/**
 * Leaves out Mastra's own notes, such as the time at which it read a message: no provider is sent them, and they differ each time that a
 * run is continued. Returns what was given if it holds none.
 */
function withoutNotes<Noted>(noted: Noted): Noted {
  if (!isRecord(noted) || !isRecord(noted['providerOptions'])) return noted;
  if (!Object.hasOwn(noted['providerOptions'], 'mastra')) return noted;
  const { providerOptions, ...rest } = noted;
  const { mastra: _notes, ...sent } = providerOptions;
  const kept = Object.keys(sent).length === 0 ? rest : { ...rest, providerOptions: sent };
  return kept as Noted;
}

/** A message as a provider is sent it; one without notes is the same object. */
export function sentMessage<Message extends SdkMessage>(message: Message): Message {
  const { content } = message;
  if (!Array.isArray(content)) return withoutNotes(message);
  const parts = content.map(withoutNotes);
  const isNoted = parts.some((part, at) => part !== content[at]);
  return withoutNotes(isNoted ? { ...message, content: parts } : message);
}
