import type { ContentBlock } from '@ctx/core';
import type { EventDraft, EventFlags } from '../../transcript.ts';
import { defined, fieldOf, isRecord, type JsonRecord, textAt } from '../../values.ts';
import {
  lightPart,
  type OpenCodePart,
  readOpenCodePart,
  usageOfOpenCode,
} from './opencode-part.ts';

/** Reads the messages of a session of opencode in order. */
export interface OpenCodeReader {
  /** The event of the session itself. */
  readonly start: () => EventDraft;
  readonly readMessage: (info: JsonRecord, parts: readonly JsonRecord[]) => readonly EventDraft[];
}

/** A part and what it becomes. */
interface ReadPart extends OpenCodePart {
  readonly part: JsonRecord;
}

/** Starts with the session's own record. */
export function startOpenCode(session: JsonRecord): OpenCodeReader {
  const sessionId = textAt(session, 'id');
  const isChild = textAt(session, 'parentID') ?? textAt(session, 'parent_id');
  const lane = isChild === undefined ? 'main' : (sessionId ?? 'child');
  const revert = revertOf(session);
  const compaction = startCompaction();
  let isReverted = false;
  return {
    start: () => ({ kind: 'meta', lane, extra: { session, ...defined({ sessionId }) } }),
    readMessage: (info, parts) => {
      const id = textAt(info, 'id');
      isReverted ||= revert !== undefined && id === revert;
      const drafts = readMessage(info, parts);
      const all = [...compaction.boundaryFor(info), ...drafts];
      compaction.add(parts, drafts);
      return all.map((draft) => ({ ...draft, lane, ...(isReverted ? hide(draft) : {}) }));
    },
  };
}

/** The message from which on all were taken back. */
function revertOf(session: JsonRecord): string | undefined {
  const revert = fieldOf(session, 'revert');
  return isRecord(revert) ? textAt(revert, 'messageID') : undefined;
}

function hide({ flags, message }: EventDraft): Pick<EventDraft, 'flags'> {
  return message === undefined ? {} : { flags: { ...flags, hidden: true } };
}

interface Compaction {
  /** The boundary before a message that is the finished summary of a compaction. */
  readonly boundaryFor: (info: JsonRecord) => readonly EventDraft[];
  readonly add: (parts: readonly JsonRecord[], drafts: readonly EventDraft[]) => void;
}

/** A compaction counts once its answer is a finished summary without an error. */
function startCompaction(): Compaction {
  let pending: JsonRecord | undefined;
  let ids: string[] = [];
  const keptFrom = (first: string | undefined): readonly string[] => {
    const place = first === undefined ? -1 : ids.findIndex((id) => id.split('/', 1)[0] === first);
    return place === -1 ? [] : ids.slice(place);
  };
  return {
    boundaryFor: (info) => {
      if (pending === undefined || !isFinishedSummary(info)) return [];
      const keepIds = keptFrom(textAt(pending, 'tail_start_id'));
      const trigger = fieldOf(pending, 'auto') === true ? 'auto' : 'manual';
      pending = undefined;
      ids = [...keepIds];
      return [
        { kind: 'boundary', boundary: { trigger, ...(keepIds.length === 0 ? {} : { keepIds }) } },
      ];
    },
    add: (parts, drafts) => {
      const part = parts.find((one) => fieldOf(one, 'type') === 'compaction');
      if (part !== undefined) pending = part;
      // The request of a compaction itself is not kept.
      else ids.push(...drafts.flatMap(({ id, kind }) => (id && kind === 'message' ? [id] : [])));
    },
  };
}

function isFinishedSummary(info: JsonRecord): boolean {
  const isSummary = fieldOf(info, 'role') === 'assistant' && fieldOf(info, 'summary') === true;
  return isSummary && Object.hasOwn(info, 'finish') && fieldOf(info, 'error') === undefined;
}

function readMessage(info: JsonRecord, parts: readonly JsonRecord[]): EventDraft[] {
  const read = parts.map((part): ReadPart => ({ part, ...readOpenCodePart(part) }));
  const isAssistant = fieldOf(info, 'role') === 'assistant';
  const drafts = isAssistant ? readAnswer(info, read) : readRequest(info, read);
  const [first = { kind: 'meta' as const }, ...others] = drafts;
  const extra = { info, parts: parts.map(lightPart) };
  return [{ ...first, extra }, ...others];
}

function identityOf(info: JsonRecord): Pick<EventDraft, 'id' | 'at'> {
  const time = fieldOf(info, 'time');
  const created = isRecord(time) ? fieldOf(time, 'created') : undefined;
  const at = typeof created === 'number' ? created : undefined;
  return defined({ id: textAt(info, 'id'), at });
}

function readRequest(info: JsonRecord, read: readonly ReadPart[]): EventDraft[] {
  const identity = identityOf(info);
  const shown = read.filter(({ isHidden }) => isHidden !== true);
  const hidden = read.filter(({ isHidden }) => isHidden === true);
  const isSynthetic =
    shown.length > 0 && shown.every(({ part }) => fieldOf(part, 'synthetic') === true);
  const flags: EventFlags | undefined = isSynthetic ? { synthetic: true } : undefined;
  const drafts: EventDraft[] = [];
  const content = blocksOf(shown);
  if (content.length > 0) {
    drafts.push({
      kind: 'message',
      ...identity,
      message: { role: 'user', content },
      ...defined({ flags }),
    });
  }
  const ignored = blocksOf(hidden);
  if (ignored.length > 0) {
    drafts.push({
      kind: 'message',
      message: { role: 'user', content: ignored },
      flags: { hidden: true },
    });
  }
  return drafts.length === 0 ? [{ kind: 'meta', ...identity }] : drafts;
}

function blocksOf(read: readonly ReadPart[]): readonly ContentBlock[] {
  return read.flatMap(({ block }) => (block === undefined ? [] : [block]));
}

/** Each step of an answer is a request of its own: a message with its calls, and one with the results. */
function readAnswer(info: JsonRecord, read: readonly ReadPart[]): EventDraft[] {
  const steps: ReadPart[][] = [[]];
  for (const part of read) {
    if (fieldOf(part.part, 'type') === 'step-start' && steps.at(-1)?.length !== 0) steps.push([]);
    steps.at(-1)?.push(part);
  }
  const drafts = steps.flatMap((step, index) => readStep(info, { step, index }));
  const total = usageOfOpenCode(fieldOf(info, 'tokens'));
  const hasUsage = read.some(({ usage }) => usage !== undefined);
  const last = drafts.findLastIndex(({ message }) => message?.role === 'assistant');
  return drafts.map((draft, index) =>
    index === last && !hasUsage ? { ...draft, ...defined({ usage: total }) } : draft,
  );
}

function readStep(
  info: JsonRecord,
  { step, index }: { readonly step: readonly ReadPart[]; readonly index: number },
): EventDraft[] {
  const { id, at } = identityOf(info);
  const content = blocksOf(step);
  const results = step.flatMap(({ result }) => (result === undefined ? [] : [result]));
  const cleared = step.flatMap(({ result, isCleared }) =>
    result && isCleared ? [result.toolUseId] : [],
  );
  const usage = step.findLast((part) => part.usage !== undefined)?.usage;
  const name = id === undefined ? undefined : index === 0 ? id : `${id}/${index}`;
  const answers: EventDraft[] =
    results.length === 0
      ? []
      : [
          {
            kind: 'message',
            ...defined({ id: name && `${name}/results`, at }),
            message: { role: 'user', content: results },
          },
        ];
  const clearing: EventDraft[] =
    cleared.length === 0
      ? []
      : [{ kind: 'boundary', boundary: { trigger: 'micro', clearedCallIds: cleared } }];
  if (content.length === 0) return [];
  const model = textAt(info, 'modelID');
  const response: EventDraft = {
    kind: 'message',
    ...defined({ id: name, at, groupId: name, model, usage, flags: flagsOfAnswer(info) }),
    message: { role: 'assistant', content },
  };
  return [response, ...answers, ...clearing];
}

function flagsOfAnswer(info: JsonRecord): EventFlags | undefined {
  if (isFinishedSummary(info)) return { summary: true };
  return fieldOf(info, 'error') === undefined ? undefined : { error: true };
}
