import type { ContentBlock, ResultBlock } from '@ctx/core';
import type { EventDraft } from '../../transcript.ts';
import { defined, fieldOf, isList, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { readArguments } from '../shared/json-arguments.ts';

/** Reads events of OpenHands 1, which name their kind. */
export interface OpenHandsEvents {
  readonly read: (event: JsonRecord) => readonly EventDraft[];
}

/** Starts with the first event. Holds the ids of the events in view. */
export function startOpenHandsEvents(): OpenHandsEvents {
  const inView = new Set<string>();
  return {
    read: (event) => {
      const drafts =
        fieldOf(event, 'kind') === 'Condensation'
          ? readCondensation(event, inView)
          : readKind(event);
      const id = textAt(event, 'id');
      if (id !== undefined && drafts.some(({ kind }) => kind === 'message')) inView.add(id);
      return drafts;
    },
  };
}

function readKind(event: JsonRecord): readonly EventDraft[] {
  switch (fieldOf(event, 'kind')) {
    case 'SystemPromptEvent':
      return readPrompt(event);
    case 'MessageEvent':
      return readMessage(event);
    case 'ActionEvent':
      return readAction(event);
    case 'ObservationEvent':
      return readResult(event, observationOf(event));
    case 'AgentErrorEvent':
      return readResult(event, { content: fieldOf(event, 'error'), is_error: true });
    case 'UserRejectObservation':
      return readResult(event, { content: fieldOf(event, 'rejection_reason'), is_error: true });
    default:
      return [];
  }
}

function observationOf(event: JsonRecord): JsonRecord {
  const observation = fieldOf(event, 'observation');
  return isRecord(observation) ? observation : {};
}

function readPrompt(event: JsonRecord): readonly EventDraft[] {
  const content = blocksOf([fieldOf(event, 'system_prompt')]);
  return [{ kind: 'message', message: { role: 'system', content }, flags: { prompt: true } }];
}

function readMessage(event: JsonRecord): readonly EventDraft[] {
  const sent = fieldOf(event, 'llm_message');
  if (!isRecord(sent)) return [];
  const isAgent = fieldOf(event, 'source') === 'agent' || fieldOf(sent, 'role') === 'assistant';
  const content = blocksOf(fieldOf(sent, 'content'));
  return [{ kind: 'message', message: { role: isAgent ? 'assistant' : 'user', content } }];
}

/** Calls of one response carry its id; what the model thought stands at the first. */
function readAction(event: JsonRecord): readonly EventDraft[] {
  const value = fieldOf(event, 'tool_call');
  const sent = isRecord(value) ? value : {};
  const id = textAt(event, 'tool_call_id') ?? textAt(sent, 'id') ?? textAt(event, 'id');
  const name = textAt(event, 'tool_name') ?? textAt(sent, 'name');
  if (id === undefined || name === undefined) return [];
  const text = textAt(sent, 'arguments');
  const read = text === undefined ? { input: fieldOf(event, 'action') } : readArguments(text);
  const thinking = fieldOf(event, 'thinking_blocks');
  const content: ContentBlock[] = [
    ...(isList(thinking) ? thinking : []).map((data): ContentBlock => {
      return { type: 'opaque', format: 'openhands:thinking', data };
    }),
    ...blocksOf(fieldOf(event, 'thought')),
    { type: 'tool_use', id, name, ...read },
  ];
  const groupId = textAt(event, 'llm_response_id');
  return [{ kind: 'message', message: { role: 'assistant', content }, ...defined({ groupId }) }];
}

function readResult(event: JsonRecord, answer: JsonRecord): readonly EventDraft[] {
  const toolUseId = textAt(event, 'tool_call_id') ?? textAt(event, 'action_id');
  if (toolUseId === undefined) return [];
  const content = blocksOf(fieldOf(answer, 'content') ?? fieldOf(answer, 'output'));
  const isError = fieldOf(answer, 'is_error') === true ? { isError: true } : {};
  const block: ContentBlock = { type: 'tool_result', toolUseId, content, ...isError };
  return [{ kind: 'message', message: { role: 'user', content: [block] } }];
}

/** Text, or a list of parts. */
function blocksOf(value: unknown): readonly ResultBlock[] {
  const parts = isList(value) ? value : [value];
  return parts.flatMap((part): readonly ResultBlock[] => {
    const text = isRecord(part) ? textAt(part, 'text') : part;
    if (part === undefined || part === null || text === '') return [];
    return typeof text === 'string'
      ? [{ type: 'text', text }]
      : [{ type: 'opaque', format: 'openhands:content', data: part }];
  });
}

/** Events leave the view; a summary stands at a place among those that stay. */
function readCondensation(event: JsonRecord, inView: Set<string>): readonly EventDraft[] {
  const listed = fieldOf(event, 'forgotten_event_ids');
  for (const id of isList(listed) ? listed : []) if (typeof id === 'string') inView.delete(id);
  const offset = fieldOf(event, 'summary_offset');
  const keptBefore = typeof offset === 'number' && offset > 0 ? { keptBefore: offset } : {};
  const boundary: EventDraft = {
    kind: 'boundary',
    boundary: { trigger: 'auto', keepIds: [...inView], ...keptBefore },
  };
  const text = textAt(event, 'summary');
  if (text === undefined || text === '') return [boundary];
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
  return [boundary, { kind: 'message', message, flags: { summary: true } }];
}
