import type { DetectionHead } from '../transcript.ts';
import { fieldOf, isList, isRecord, type JsonRecord, textAt } from '../values.ts';
import { listFields } from './message-document.ts';

/** What the head of a document of messages shows. */
export interface HeadMessages {
  readonly messages: readonly HeadMessage[];
  /** The names of the fields beside the list. */
  readonly fields: ReadonlySet<string>;
}

/** A message as far as it can be seen. The last of a head may have lost its end. */
export interface HeadMessage {
  readonly role: string;
  readonly content: unknown;
  readonly record: JsonRecord;
}

/** The messages of a list, of an object with a list, or of the first session in a list of such objects. */
export function messagesOfHead(head: DetectionHead): HeadMessages {
  const none = { messages: [], fields: new Set<string>() };
  if (head.document === undefined) return none;
  const root: unknown = isList(head.document) ? withList(head.document) : head.document;
  if (isList(root)) return { messages: root.flatMap(headMessage), fields: new Set() };
  if (!isRecord(root)) return none;
  const list = listOf(root);
  if (list === undefined) return none;
  return { messages: list.flatMap(headMessage), fields: new Set(Object.keys(root)) };
}

/** A list of sessions stands for its first. */
function withList(list: readonly unknown[]): unknown {
  const [first] = list;
  const isSession = isRecord(first) && !Object.hasOwn(first, 'role') && listOf(first) !== undefined;
  return isSession ? first : list;
}

function listOf(record: JsonRecord): readonly unknown[] | undefined {
  for (const field of listFields) {
    const list = fieldOf(record, field);
    if (isList(list)) return list;
  }
  return undefined;
}

function headMessage(value: unknown): HeadMessage[] {
  if (!isRecord(value)) return [];
  const role = textAt(value, 'role');
  return role === undefined ? [] : [{ role, content: value['content'], record: value }];
}
