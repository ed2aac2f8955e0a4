import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import { defined, fieldOf, isList, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { type DocumentVisitor, readDocument } from '../shared/read-document.ts';
import { startOpenHandsActions } from './openhands-action.ts';
import { startOpenHandsEvents } from './openhands-event.ts';

/** Lists of events of OpenHands: actions and observations of version 0, events with a kind of version 1. */
export const openHandsFormat: TranscriptFormat = {
  name: 'openhands',
  detect: detectOpenHands,
  read: (input, options) => readDocument(input, options, visitOpenHands()),
};

const listFields = ['/history', '/events', '/trajectory'];

function visitOpenHands(): DocumentVisitor {
  const actions = startOpenHandsActions();
  const events = startOpenHandsEvents();
  return {
    enters: (path) => listFields.includes(path),
    visit: ({ value, key }) => {
      if (!isRecord(value) || key !== undefined) return [];
      const one = Object.hasOwn(value, 'kind') ? undefined : actions.read(value);
      const drafts = one === undefined ? events.read(value) : [one];
      const common = { ...identityOf(value), extra: { event: value } };
      if (drafts.length === 0) return [{ kind: 'meta', ...common }];
      return drafts.map((draft, part) => (part === 0 ? { ...draft, ...common } : draft));
    },
  };
}

function identityOf(event: JsonRecord): Pick<EventDraft, 'id' | 'at'> {
  const id = fieldOf(event, 'id');
  return defined({
    id: typeof id === 'number' || typeof id === 'string' ? String(id) : undefined,
    at: timeOf(textAt(event, 'timestamp')),
  });
}

/** Times without a zone are taken as UTC, so that they do not depend on the reader's machine. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/u.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? undefined : at;
}

const kinds = new Set([
  'SystemPromptEvent',
  'MessageEvent',
  'ActionEvent',
  'ObservationEvent',
  'ConversationStateUpdateEvent',
]);

function detectOpenHands({ document }: DetectionHead): FormatEvidence | undefined {
  const events = eventsOf(document).filter(isRecord);
  if (events.some((event) => kinds.has(textAt(event, 'kind') ?? ''))) {
    return { score: 92, reason: 'events with a kind' };
  }
  const isOld = events.some(
    (event) =>
      Object.hasOwn(event, 'source') &&
      ((Object.hasOwn(event, 'action') && Object.hasOwn(event, 'args')) ||
        (Object.hasOwn(event, 'observation') && Object.hasOwn(event, 'extras'))),
  );
  return isOld
    ? { score: 92, reason: 'actions with args and observations with extras' }
    : undefined;
}

function eventsOf(document: unknown): readonly unknown[] {
  if (isList(document)) return document;
  if (!isRecord(document)) return [];
  const list = listFields.map((path) => fieldOf(document, path.slice(1))).find(isList);
  return list ?? [];
}
