import type { ContentBlock, Message, ResultBlock } from '@ctx/core';
import type { EventDraft, Usage } from '../../transcript.ts';
import { usageOfOpenAi } from '../../usage.ts';
import {
  countAt,
  defined,
  fieldOf,
  isList,
  isRecord,
  type JsonRecord,
  textAt,
} from '../../values.ts';
import { readArguments } from '../shared/json-arguments.ts';

/** Actions and observations that only the tool itself sees. */
const hidden = new Set([
  'change_agent_state',
  'agent_state_changed',
  'null',
  'recall',
  'pause',
  'resume',
]);

/** Reads events of OpenHands 0: actions, and the observations they cause. */
export interface OpenHandsActions {
  readonly read: (event: JsonRecord) => EventDraft | undefined;
}

/** Starts with the first event. */
export function startOpenHandsActions(): OpenHandsActions {
  let lastResponse: string | undefined;
  return {
    read: (event) => {
      if (Object.hasOwn(event, 'observation')) return readObservation(event);
      const action = textAt(event, 'action');
      if (action === undefined || hidden.has(action)) return undefined;
      const response = responseOf(event);
      if (response === undefined) return readPlainAction(event, action);
      const groupId = textAt(response, 'id');
      const isFirst = groupId === undefined || groupId !== lastResponse;
      lastResponse = groupId;
      return readCall(event, { response, isFirst });
    },
  };
}

function metadataOf(event: JsonRecord): JsonRecord | undefined {
  const metadata = fieldOf(event, 'tool_call_metadata');
  return isRecord(metadata) ? metadata : undefined;
}

function responseOf(event: JsonRecord): JsonRecord | undefined {
  const response = fieldOf(metadataOf(event) ?? {}, 'model_response');
  return isRecord(response) ? response : undefined;
}

interface CallContext {
  readonly response: JsonRecord;
  /** Whether it is the first of the calls of its response. */
  readonly isFirst: boolean;
}

/** A call as the model sent it: what it said stands at the first call of the response. */
function readCall(event: JsonRecord, { response, isFirst }: CallContext): EventDraft {
  const metadata = metadataOf(event) ?? {};
  const id = textAt(metadata, 'tool_call_id') ?? idOfEvent(event);
  const sent = sentMessage(response);
  const text = argumentsIn(sent, id);
  const read = text === undefined ? { input: fieldOf(event, 'args') } : readArguments(text);
  const name = textAt(metadata, 'function_name') ?? textAt(event, 'action') ?? '';
  const said = isFirst ? textsOf(textAt(sent, 'content') ?? '') : [];
  return {
    kind: 'message',
    message: { role: 'assistant', content: [...said, { type: 'tool_use', id, name, ...read }] },
    ...defined({
      groupId: textAt(response, 'id'),
      model: textAt(response, 'model'),
      usage: isFirst ? usageOf(fieldOf(response, 'usage')) : undefined,
    }),
  };
}

function sentMessage(response: JsonRecord): JsonRecord {
  const choices = fieldOf(response, 'choices');
  const choice: unknown = isList(choices) ? choices[0] : undefined;
  const message = isRecord(choice) ? fieldOf(choice, 'message') : undefined;
  return isRecord(message) ? message : {};
}

/** The arguments of one of the calls of a response. */
function argumentsIn(message: JsonRecord, id: string): string | undefined {
  const calls = fieldOf(message, 'tool_calls');
  const call = (isList(calls) ? calls : []).find((one) => isRecord(one) && one['id'] === id);
  const made = isRecord(call) ? fieldOf(call, 'function') : undefined;
  return isRecord(made) ? textAt(made, 'arguments') : undefined;
}

function usageOf(value: unknown): Usage | undefined {
  const usage = usageOfOpenAi(value);
  if (usage === undefined || !isRecord(value)) return usage;
  return { ...usage, cacheWrite: countAt(value, 'cache_creation_input_tokens') };
}

function idOfEvent(event: JsonRecord): string {
  const id = fieldOf(event, 'id');
  return `event-${typeof id === 'number' || typeof id === 'string' ? id : ''}`;
}

/** An action without a recorded response: a message, a system prompt, or a call whose id is made from that of the event. */
function readPlainAction(event: JsonRecord, action: string): EventDraft | undefined {
  const value = fieldOf(event, 'args');
  const args = isRecord(value) ? value : {};
  const isAgent = fieldOf(event, 'source') === 'agent';
  if (action === 'system') {
    const message: Message = { role: 'system', content: textsOf(textAt(args, 'content') ?? '') };
    return { kind: 'message', message, flags: { prompt: true } };
  }
  if (action === 'message' || action === 'finish') {
    const content = [...textsOf(spokenIn(args)), ...imagesOf(args)];
    return { kind: 'message', message: { role: isAgent ? 'assistant' : 'user', content } };
  }
  if (!isAgent) return undefined;
  const call: ContentBlock = { type: 'tool_use', id: idOfEvent(event), name: action, input: args };
  const thought = textsOf(textAt(args, 'thought') ?? '');
  return { kind: 'message', message: { role: 'assistant', content: [...thought, call] } };
}

function spokenIn(args: JsonRecord): string {
  const texts = ['content', 'final_thought', 'thought'].map((field) => textAt(args, field));
  return texts.find((text) => text !== undefined) ?? '';
}

function imagesOf(args: JsonRecord): ResultBlock[] {
  const urls = fieldOf(args, 'image_urls');
  return (isList(urls) ? urls : []).map((data) => ({
    type: 'opaque',
    format: 'openhands:image_url',
    data,
  }));
}

function textsOf(text: string): ResultBlock[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function readObservation(event: JsonRecord): EventDraft | undefined {
  const kind = textAt(event, 'observation') ?? '';
  const cause = fieldOf(event, 'cause');
  const id = textAt(metadataOf(event) ?? {}, 'tool_call_id');
  if (hidden.has(kind) || (id === undefined && typeof cause !== 'number')) return undefined;
  const block: ContentBlock = {
    type: 'tool_result',
    toolUseId: id ?? `event-${String(cause)}`,
    content: textsOf(textAt(event, 'content') ?? ''),
    ...(kind === 'error' ? { isError: true } : {}),
  };
  return { kind: 'message', message: { role: 'user', content: [block] } };
}
