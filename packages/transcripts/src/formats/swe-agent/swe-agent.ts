import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import { fieldOf, isList, isRecord, type JsonRecord, withoutKeys } from '../../values.ts';
import { type DocumentVisitor, readDocument } from '../shared/read-document.ts';
import { type SweAgentActions, startSweAgentReader } from './swe-agent-item.ts';

/** Trajectories of SWE-agent; actions that stand in text become calls with results. */
export const sweAgentFormat: TranscriptFormat = createSweAgentFormat({ actions: 'pairs' });

/** Makes the format of SWE-agent's trajectories. `actions: 'text'` leaves actions in the text of the answers. */
export function createSweAgentFormat(options: {
  readonly actions: SweAgentActions;
}): TranscriptFormat {
  return {
    name: 'swe-agent',
    detect: detectSweAgent,
    read: (input, readOptions) =>
      readDocument(input, readOptions, visitSweAgent(options.actions, readOptions.log.note)),
  };
}

function visitSweAgent(actions: SweAgentActions, note: (name: string) => void): DocumentVisitor {
  const reader = startSweAgentReader(actions);
  let steps: JsonRecord[] | undefined = [];
  return {
    enters: (path) => path === '/trajectory' || path === '/history',
    visit: ({ path, value }): readonly EventDraft[] => {
      if (!isRecord(value)) return [];
      if (path === '/trajectory') {
        const step = lightStep(value, note);
        steps?.push(step);
        return [{ kind: 'meta', extra: { step } }];
      }
      const draft = path === '/history' ? reader.readItem(value) : undefined;
      if (draft === undefined) return [];
      steps = undefined;
      return [draft];
    },
    end: () => (steps ?? []).flatMap((step) => reader.readStep(step)),
  };
}

/** A step without the request that it was: those grow with the square of the steps and stay in the file. */
function lightStep(step: JsonRecord, note: (name: string) => void): JsonRecord {
  const fields = ['query', 'messages'].filter((field) => isList(fieldOf(step, field)));
  if (fields.length === 0) return step;
  note('request of a step left in the file');
  const counts = fields.map((field): [string, number] => {
    const list = fieldOf(step, field);
    return [field, isList(list) ? list.length : 0];
  });
  return { ...withoutKeys(step, fields), inFile: Object.fromEntries(counts) };
}

const itemFields = ['message_type', 'agent', 'thought'];

function detectSweAgent({ document }: DetectionHead): FormatEvidence | undefined {
  if (!isRecord(document)) return undefined;
  const has = (list: unknown, fields: readonly string[]): boolean =>
    isList(list) &&
    list.some((item) => isRecord(item) && fields.some((field) => Object.hasOwn(item, field)));
  if (has(fieldOf(document, 'history'), itemFields)) {
    return {
      score: 90,
      reason: 'a history whose items have an agent, a thought or a message_type',
    };
  }
  return has(fieldOf(document, 'trajectory'), ['observation', 'response'])
    ? { score: 90, reason: 'a trajectory of actions and observations' }
    : undefined;
}
