import type { Message } from '@ctx/core';
import type { EventDraft, EventFlags } from '../../transcript.ts';
import { defined, fieldOf, isRecord, type JsonRecord, textAt, timeAt } from '../../values.ts';
import { readItem } from '../openai-responses/openai-responses-item.ts';

/** Gives each item what depends on those before it. */
export interface CodexPlaces {
  /** The id of the next item: items have none of their own, and those of the provider repeat. */
  readonly nextId: () => string;
  /** The response that is going on, or a new one. */
  readonly groupOf: (message: Message) => string | undefined;
  /** The newest response. */
  readonly lastGroup: () => string | undefined;
  /** The model of what follows. */
  model: string | undefined;
}

/** Starts with the first record of a file. */
export function startCodexPlaces(): CodexPlaces {
  let items = 0;
  let responses = 0;
  let isOpen = false;
  return {
    model: undefined,
    nextId: () => {
      items += 1;
      return `item-${items}`;
    },
    groupOf: ({ role }) => {
      const isResponse = role === 'assistant';
      if (isResponse && !isOpen) responses += 1;
      isOpen = isResponse;
      return isResponse ? `response-${responses}` : undefined;
    },
    lastGroup: () => (responses === 0 ? undefined : `response-${responses}`),
  };
}

/** The event of an item that the model saw; a `meta` event where it is no item. */
export function eventOfItem(item: unknown, record: JsonRecord, places: CodexPlaces): EventDraft {
  const message = readItem(item);
  const at = timeAt(record, 'timestamp');
  const extra = { record };
  if (message === undefined) {
    return { kind: 'meta', ...defined({ at }), extra: { record, payload: item } };
  }
  const isResponse = message.role === 'assistant';
  const groupId = places.groupOf(message);
  const model = isResponse ? places.model : undefined;
  const flags = flagsOf(message);
  return {
    kind: 'message',
    id: places.nextId(),
    message,
    ...defined({ at, groupId, model, flags }),
    extra,
  };
}

const scaffolds = [
  '<environment_context>',
  '# AGENTS.md instructions',
  '<permissions',
  '<user_instructions>',
];

/** User messages that the tool wrote itself. */
function flagsOf(message: Message): EventFlags | undefined {
  const [first] = message.content;
  const text = message.role === 'user' && first?.type === 'text' ? first.text.trimStart() : '';
  return scaffolds.some((start) => text.startsWith(start)) ? { scaffold: true } : undefined;
}

/** The system prompt of a session, and the field that holds it. */
export function promptOf(
  meta: JsonRecord,
):
  | { readonly field: string; readonly form: 'text' | 'object'; readonly message: Message }
  | undefined {
  for (const field of ['base_instructions', 'instructions']) {
    const value = fieldOf(meta, field);
    const form = isRecord(value) ? 'object' : 'text';
    const text = isRecord(value) ? textAt(value, 'text') : value;
    if (typeof text === 'string' && text !== '') {
      return { field, form, message: { role: 'system', content: [{ type: 'text', text }] } };
    }
  }
  return undefined;
}
