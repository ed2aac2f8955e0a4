import { speech } from '@ctx/store';
import type { History, HistoryCall } from './history.ts';
import { readOwn, readOwnText } from './read-own.ts';
import { isSlight } from './said/requests.ts';

/** One step of a plan that the assistant keeps with a tool. */
export interface TodoStep {
  readonly text: string;
  /** As the tool names it: `pending`, `in_progress`, `completed`, … */
  readonly status: string;
}

const listKeys: readonly string[] = ['todos', 'plan', 'steps', 'tasks', 'items', 'todo_list'];
const stepKeys: readonly string[] = [
  'content',
  'step',
  'title',
  'subject',
  'task',
  'text',
  'description',
];
const textKeys: readonly string[] = ['plan', 'todos', 'steps'];

const finished = /^(?:deleted|completed?|done|finished|cancell?ed|skipped|failed)$/i;

/** Whether a step with this status needs no more work. */
export function isFinishedStatus(status: string): boolean {
  return finished.test(status.trim());
}

/**
 * The steps of the plan as they stand now, in order; empty where there is none: of the newest call that hands in a whole plan, or, where
 * a tool keeps each step by itself, of all its calls since.
 */
export function latestSteps({ calls }: History): readonly TodoStep[] {
  let steps = new Map<string, TodoStep>();
  for (const call of calls) {
    const whole = isPlanTool(call) ? stepsOf(call.input) : [];
    if (whole.length > 0) steps = new Map(whole.map((step, index) => [`list ${index}`, step]));
    else applySingleStep(steps, call);
  }
  return [...steps.values()];
}

/** Takes in a call that makes or changes one step. Source: Claude Code 2 (TaskCreate, TaskUpdate). */
function applySingleStep(steps: Map<string, TodoStep>, call: HistoryCall): void {
  const verb = /^(?:task|todo)_?(create|add|update)$/i.exec(call.toolName)?.[1]?.toLowerCase();
  if (call.isError || verb === undefined) return;
  const text = readOwnText(call.input, stepKeys)?.trim();
  if (verb === 'update') changeStep(steps, call.input, text);
  else if (text !== undefined) steps.set(idOfAnswer(call), { text, status: 'pending' });
}

/** The answer to a call that makes a step names the number by which later calls speak of it. */
function idOfAnswer({ id, result = '' }: HistoryCall): string {
  return /#(\w{1,40})/.exec(result)?.[1] ?? id;
}

function changeStep(steps: Map<string, TodoStep>, input: unknown, text: string | undefined): void {
  const id = readOwnText(input, ['taskId', 'task_id', 'id']) ?? '';
  const known = steps.get(id);
  if (known === undefined) return;
  steps.set(id, { text: text ?? known.text, status: statusOf(input) ?? known.status });
}

function statusOf(step: unknown): string | undefined {
  return readOwnText(step, ['status', 'state']);
}

/** The newest plan as lines: of a planning tool, else of a list that the assistant wrote about what it will do. */
export function latestPlan(history: History): readonly string[] {
  const steps = latestSteps(history);
  if (steps.length > 0) return steps.map(({ text, status }) => `[${status}] ${text}`);
  for (const call of history.calls.toReversed()) {
    const text = isPlanTool(call) ? readOwnText(call.input, textKeys) : undefined;
    if (text !== undefined) return linesOf(text);
  }
  return writtenPlan(history.texts);
}

/** The newest list that the assistant announced, if the user has not gone on to something else. */
function writtenPlan(texts: History['texts']): readonly string[] {
  let requests = 0;
  for (const { role, text } of texts.toReversed()) {
    const list = role === 'assistant' ? announcedList(text.split('\n')) : [];
    if (list.length > 0) return list;
    if (role === 'user' && !isSlight(speech.typedText(text))) requests += 1;
    if (requests > mostRequests) return [];
  }
  return [];
}

/** The user answers a plan with one request; with the next they have gone on to something else. */
const mostRequests = 1;

const item = /^\s{0,8}(?:[-*•]|\d{1,2}[.)]) /;
/** A title or the line before a list that says what will be done. */
const announces =
  /\b(?:plan|next steps?|todos?|to do|remaining|i'll|i’ll|i will|i'm going to|i am going to|let me|let's)\b/i;
const endsAsLead = /^#|:[*_]{0,3}$/;
/** What the assistant advises is nobody's plan. */
const advises =
  /\b(?:suggest(?:ed|ions?)?|recommend(?:ed|ations?)?|optional|possible|you (?:can|could|may|might))\b/i;

/** The last list of at least three items that its own lead announces, with the lead; other lists state what is. */
function announcedList(lines: readonly string[]): readonly string[] {
  const told = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
  for (let at = told.length - 1; at >= 0; at -= 1) {
    const lead = told[at] ?? '';
    const sentence = lead.split(/[.!?;] /).at(-1) ?? '';
    if (item.test(lead) || !announces.test(sentence) || !endsAsLead.test(lead)) continue;
    if (advises.test(lead)) continue;
    const after = told.slice(at + 1);
    const end = after.findIndex((line) => !item.test(line) && !/^\s/.test(line));
    const items = end === -1 ? after : after.slice(0, end);
    if (items.filter((line) => item.test(line)).length < leastItems) continue;
    return [lead.replace(/^#{1,6} /, ''), ...items].map((line) => line.trim());
  }
  return [];
}

/** A shorter list is no plan. */
const leastItems = 3;

function isPlanTool({ toolName }: HistoryCall): boolean {
  return /todo|plan|task/i.test(toolName);
}

function stepsOf(input: unknown): TodoStep[] {
  for (const key of listKeys) {
    const list = readOwn(input, key);
    if (Array.isArray(list)) return list.flatMap((entry) => stepOf(entry));
  }
  return [];
}

function stepOf(entry: unknown): TodoStep[] {
  const text = typeof entry === 'string' ? entry : readOwnText(entry, stepKeys);
  if (text === undefined) return [];
  return [{ text: text.trim(), status: statusOf(entry) ?? 'pending' }];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
