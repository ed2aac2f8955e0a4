import type { ContentBlock, Message, ResultBlock } from '@ctx/core';
import type { EventDraft } from '../../transcript.ts';
import {
  defined,
  fieldOf,
  isList,
  isRecord,
  type JsonRecord,
  textAt,
  withoutKeys,
} from '../../values.ts';
import { readArguments } from '../shared/json-arguments.ts';

/** Whether actions that stand in text become calls with results. */
export type SweAgentActions = 'pairs' | 'text';

/** Reads the history of a trajectory item by item. */
export interface SweAgentReader {
  readonly readItem: (item: JsonRecord) => EventDraft | undefined;
  /** The messages of a step, for files without a history. */
  readonly readStep: (step: JsonRecord) => readonly EventDraft[];
}

/** Starts with the first item. Ids of calls that stand in text are made from their order. */
export function startSweAgentReader(actions: SweAgentActions): SweAgentReader {
  let made = 0;
  const open = new Map<string, string>();
  const call = (lane: string, action: string): ContentBlock => {
    made += 1;
    const id = `action-${made}`;
    open.set(lane, id);
    return { type: 'tool_use', id, name: commandOf(action), input: { command: action } };
  };
  const answer = (lane: string, content: readonly ResultBlock[]): Message | undefined => {
    const toolUseId = open.get(lane);
    open.delete(lane);
    if (toolUseId === undefined) return undefined;
    return { role: 'user', content: [{ type: 'tool_result', toolUseId, content }] };
  };
  const readAssistant = (item: JsonRecord, lane: string): Message => {
    const calls = callsOf(item);
    const action = textAt(item, 'action') ?? '';
    const isText = calls.length > 0 || actions === 'text' || action.trim() === '';
    const said = isText ? contentOf(item) : textBlocks(textAt(item, 'thought') ?? '');
    return { role: 'assistant', content: [...said, ...(isText ? calls : [call(lane, action)])] };
  };
  const readItem = (item: JsonRecord): EventDraft | undefined => {
    const lane = laneOf(item);
    const message = messageOf(item, {
      assistant: () => readAssistant(item, lane),
      user: () => answer(lane, contentOf(item)) ?? { role: 'user', content: contentOf(item) },
    });
    if (message === undefined) return undefined;
    const rest = withoutKeys(item, [
      'tool_calls',
      ...(message.role === 'assistant' ? [] : ['content']),
    ]);
    const extra = defined({ item: rest });
    if (item['is_demo'] !== true) return { kind: 'message', lane, message, extra };
    open.delete(lane);
    return { kind: 'meta', lane, flags: { demo: true }, extra: { item } };
  };
  return {
    readItem,
    readStep: (step) => {
      const { observation = '', response = '', thought = response, action = '' } = step;
      const items = [
        { role: 'assistant', content: response, thought, action },
        { role: 'user', content: observation },
      ];
      return items.flatMap((item) => readItem(item) ?? []);
    },
  };
}

interface Roles {
  readonly assistant: () => Message;
  readonly user: () => Message;
}

function messageOf(item: JsonRecord, roles: Roles): Message | undefined {
  switch (fieldOf(item, 'role')) {
    case 'system':
      return { role: 'system', content: contentOf(item) };
    case 'assistant':
      return roles.assistant();
    case 'user':
      return roles.user();
    case 'tool':
      return toolMessage(item) ?? roles.user();
    default:
      return undefined;
  }
}

function laneOf(item: JsonRecord): string {
  const agent = textAt(item, 'agent') ?? 'main';
  return agent === 'primary' ? 'main' : agent;
}

/** The result of a call; its ids are a list. What it says is said once. */
function toolMessage(item: JsonRecord): Message | undefined {
  const ids = fieldOf(item, 'tool_call_ids');
  const known = isList(ids) ? ids.filter((id) => typeof id === 'string') : [];
  if (known.length === 0) return undefined;
  const content = contentOf(item);
  return {
    role: 'user',
    content: known.map((toolUseId, index) => {
      return { type: 'tool_result', toolUseId, content: index === 0 ? content : [] };
    }),
  };
}

function callsOf(item: JsonRecord): ContentBlock[] {
  const calls = fieldOf(item, 'tool_calls');
  return (isList(calls) ? calls : []).map((call): ContentBlock => {
    const made = isRecord(call) ? fieldOf(call, 'function') : undefined;
    const id = isRecord(call) ? textAt(call, 'id') : undefined;
    const name = isRecord(made) ? textAt(made, 'name') : undefined;
    const sent = isRecord(made) ? fieldOf(made, 'arguments') : undefined;
    if (id === undefined || name === undefined) {
      return { type: 'opaque', format: 'swe-agent:call', data: call };
    }
    return {
      type: 'tool_use',
      id,
      name,
      ...(typeof sent === 'string' ? readArguments(sent) : { input: sent }),
    };
  });
}

function contentOf(item: JsonRecord): readonly ResultBlock[] {
  const content = fieldOf(item, 'content');
  if (typeof content === 'string') return textBlocks(content);
  if (!isList(content)) return [];
  return content.map((part): ResultBlock => {
    const text = isRecord(part) && part['type'] === 'text' ? textAt(part, 'text') : undefined;
    return text === undefined
      ? { type: 'opaque', format: 'swe-agent:part', data: part }
      : { type: 'text', text };
  });
}

function textBlocks(text: string): ResultBlock[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** The command that an action begins with. */
function commandOf(action: string): string {
  const [first = ''] = action.trimStart().slice(0, 65).split(/\s/u, 1);
  return /^[\w.-]{1,64}$/u.test(first) ? first : 'bash';
}
