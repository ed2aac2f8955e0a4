import type { DetectionHead } from '../../transcript.ts';
import { isList, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { type ListPlaces, sessionListOf, usualLists } from './message-document.ts';

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
  const { records, fields } = recordsOfHead(head);
  return { messages: records.flatMap(headMessage), fields };
}

/** What the head of a document of records shows, whatever the records are. */
export interface HeadRecords {
  readonly records: readonly JsonRecord[];
  /** The names of the fields beside the list. */
  readonly fields: ReadonlySet<string>;
}

/** The records of a list, of an object with a list, or of the first session in a list of such objects. */
export function recordsOfHead(
  { document }: DetectionHead,
  lists: ListPlaces = usualLists,
): HeadRecords {
  const session = isList(document) ? sessionListOf(document[0], lists) : undefined;
  const root = session?.record ?? document;
  if (isList(root)) return { records: root.filter(isRecord), fields: new Set() };
  const list = sessionListOf(root, { ...lists, messageKey: '' })?.list;
  if (list === undefined || !isRecord(root)) return { records: [], fields: new Set() };
  return { records: list.filter(isRecord), fields: new Set(Object.keys(root)) };
}

function headMessage(record: JsonRecord): HeadMessage[] {
  const role = textAt(record, 'role');
  return role === undefined ? [] : [{ role, content: record['content'], record }];
}
