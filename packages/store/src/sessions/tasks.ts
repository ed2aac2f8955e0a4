import { CtxError } from '@ctx/core';
import type { SessionDocument } from './session-document.ts';

/** A task as the document holds it. Unknown members are kept. */
export type SessionTask = Readonly<Record<string, unknown>>;

/** When finished tasks may go. */
export interface TaskPolicy {
  /** How long a finished task stays after its last update, ms. Default 24 h. */
  readonly keepFinishedMs: number;
}

/** Source: seed 003. */
export const defaultTaskPolicy: TaskPolicy = { keepFinishedMs: 24 * 60 * 60 * 1000 };

/** A new task, or what changes of a known one. */
export interface TaskChange {
  readonly id: string;
  readonly description?: string;
  /** Default of a new task: `Running`. */
  readonly status?: string;
  /** 0 to 1. Default of a new task: 0. */
  readonly progress?: number;
}

/** Which finished tasks leave. */
export interface TaskPruning {
  readonly staying: readonly SessionTask[];
  /** With the places that they had. */
  readonly leaving: readonly { readonly index: number; readonly task: SessionTask }[];
}

/** Letters only, so that `Timed Out`, `timed_out` and `TIMED-OUT` are one. */
const terminal: ReadonlySet<string> = new Set([
  'abandoned',
  'aborted',
  'cancelled',
  'canceled',
  'closed',
  'complete',
  'completed',
  'crashed',
  'denied',
  'done',
  'error',
  'errored',
  'expired',
  'failed',
  'failure',
  'finished',
  'killed',
  'rejected',
  'resolved',
  'skipped',
  'stopped',
  'succeeded',
  'success',
  'successful',
  'terminated',
  'timedout',
  'timeout',
]);

/** The name of a status; of one that carries a reason (`{ "Failed": "no disk" }`) the name alone. */
export function statusName(status: unknown): string {
  if (typeof status === 'string') return status;
  if (typeof status !== 'object' || status === null || Array.isArray(status)) return '';
  const names = Object.keys(status);
  return names.length === 1 ? (names[0] ?? '') : '';
}

/** Whether a task with this status is over, in any letter case. A status that is not known counts as running. */
export function isTerminalStatus(status: unknown): boolean {
  return terminal.has(
    statusName(status)
      .toLowerCase()
      .replaceAll(/[^a-z]/g, ''),
  );
}

/** Above this a number of seconds is one of milliseconds: the year 5138. */
const mostSeconds = 1e11;

function momentOf(value: unknown): number | undefined {
  const parsed = typeof value === 'string' ? Date.parse(value) / 1000 : value;
  if (typeof parsed !== 'number' || !Number.isFinite(parsed)) return undefined;
  return parsed > mostSeconds ? parsed : parsed * 1000;
}

/** When a task was last updated, ms since the epoch; `undefined` where it does not say. */
export function taskUpdatedAt(task: SessionTask): number | undefined {
  return momentOf(task['updated_at']) ?? momentOf(task['created_at']);
}

/**
 * Decides which finished tasks leave at `now` (ms since the epoch).
 * Pure; keeps order; a running task stays however old, and so does one without a time; planning on what stays leaves
 * nothing to do. Makes one pass.
 */
export function planTaskPruning(
  tasks: readonly SessionTask[],
  now: number,
  options: Partial<TaskPolicy> = {},
): TaskPruning {
  const { keepFinishedMs } = { ...defaultTaskPolicy, ...options };
  const isDue = (task: SessionTask): boolean =>
    isTerminalStatus(task['status']) && now - (taskUpdatedAt(task) ?? now) >= keepFinishedMs;
  const due = tasks.map(isDue);
  return {
    staying: tasks.filter((_, index) => due[index] !== true),
    leaving: tasks.flatMap((task, index) => (due[index] === true ? [{ index, task }] : [])),
  };
}

function checkChange({ id, progress }: TaskChange): void {
  if (id === '') throw new CtxError('CTX_INVALID_INPUT', 'a task needs an id');
  if (progress === undefined || (progress >= 0 && progress <= 1)) return;
  throw new CtxError('CTX_INVALID_INPUT', `progress of task ${id} must be in 0…1`);
}

/**
 * Begins a task, or changes the one of that id.
 * Pure; keeps order and unknown members; sets `updated_at`.
 * @throws `CTX_INVALID_INPUT` for progress outside of 0…1.
 */
export function updateTask(
  document: SessionDocument,
  change: TaskChange,
  now: number,
): SessionDocument {
  checkChange(change);
  const seconds = Math.floor(now / 1000);
  const tasks = document.active_tasks;
  const at = tasks.findIndex((task) => task['id'] === change.id);
  const before = tasks[at] ?? {
    id: change.id,
    description: '',
    status: 'Running',
    progress: 0,
    created_at: seconds,
  };
  const after = { ...before, ...change, updated_at: seconds };
  const next = at === -1 ? [...tasks, after] : tasks.with(at, after);
  return { ...document, active_tasks: next };
}

/** Takes finished tasks out that are due. Pure; the document itself where none is. */
export function pruneTasks(
  document: SessionDocument,
  now: number,
  options: Partial<TaskPolicy> = {},
): SessionDocument {
  const { staying, leaving } = planTaskPruning(document.active_tasks, now, options);
  return leaving.length === 0 ? document : { ...document, active_tasks: staying };
}

/** What a task says of itself, whatever wrote it. */
export interface TaskState {
  /** The name of its status; '' if it has none. */
  readonly status: string;
  /** Whether it is over, by its status. */
  readonly isOver: boolean;
  /** Last update, ms since the epoch; missing if it does not say. */
  readonly updatedAt?: number;
}

/** Reads the state of a task. */
export function taskState(task: SessionTask): TaskState {
  const updatedAt = taskUpdatedAt(task);
  return {
    status: statusName(task['status']),
    isOver: isTerminalStatus(task['status']),
    ...(updatedAt !== undefined && { updatedAt }),
  };
}
