import type { History, HistoryCall } from './history.ts';
import { readOwn, readText } from './read-own.ts';

/** One step of a plan that the assistant keeps with a tool. */
export interface PlanStep {
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

const finished = /^(?:completed?|done|finished|cancell?ed|skipped|failed)$/i;

/** Whether a step with this status needs no more work. */
export function isFinishedStatus(status: string): boolean {
  return finished.test(status.trim());
}

/** The steps of the newest call that keeps a plan, in order; empty where there is none. */
export function latestSteps({ calls }: History): readonly PlanStep[] {
  for (const call of calls.toReversed()) {
    const steps = isPlanTool(call) ? stepsOf(call.input) : [];
    if (steps.length > 0) return steps;
  }
  return [];
}

/** The newest plan as lines: of a planning tool, else of a list that the assistant wrote about what it will do. */
export function latestPlan(history: History): readonly string[] {
  const steps = latestSteps(history);
  if (steps.length > 0) return steps.map(({ text, status }) => `[${status}] ${text}`);
  for (const call of history.calls.toReversed()) {
    const text = isPlanTool(call) ? readText(call.input, textKeys) : undefined;
    if (text !== undefined) return linesOf(text);
  }
  const said = history.texts.findLast(({ role, text }) => role === 'assistant' && isPlanText(text));
  return said === undefined ? [] : linesOf(said.text);
}

function isPlanTool({ toolName }: HistoryCall): boolean {
  return /todo|plan|task/i.test(toolName);
}

function stepsOf(input: unknown): PlanStep[] {
  for (const key of listKeys) {
    const list = readOwn(input, key);
    if (Array.isArray(list)) return list.flatMap((entry) => stepOf(entry));
  }
  return [];
}

function stepOf(entry: unknown): PlanStep[] {
  const text = typeof entry === 'string' ? entry : readText(entry, stepKeys);
  if (text === undefined) return [];
  return [{ text: text.trim(), status: readText(entry, ['status', 'state']) ?? 'pending' }];
}

function isPlanText(text: string): boolean {
  const items = text.split('\n').filter((line) => /^\s{0,8}(?:[-*•]|\d{1,2}[.)]) /.test(line));
  return items.length >= 3 && /\b(?:plan|next|steps?|todo|remaining|phase|will)\b/i.test(text);
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
