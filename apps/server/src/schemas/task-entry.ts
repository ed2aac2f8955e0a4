import * as z from 'zod';
import { isTerminalStatus, type SessionTask, statusName, taskUpdatedAt } from '@ctx/store';

/** A task of a session. */
export interface TaskEntry {
  readonly id: string;
  readonly description: string;
  readonly status: string;
  /** Whether it is over, by its status. */
  readonly isOver: boolean;
  /** 0 to 1. */
  readonly progress?: number;
  /** Last update, ISO 8601. */
  readonly updatedAt?: string;
}

export const taskEntrySchema: z.ZodType<TaskEntry> = z.object({
  id: z.string(),
  description: z.string(),
  status: z.string(),
  isOver: z.boolean(),
  progress: z.number().exactOptional(),
  updatedAt: z.string().exactOptional(),
});

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Makes the entry of a task, whatever wrote it. */
export function taskEntryOf(task: SessionTask): TaskEntry {
  const { progress } = task;
  const at = new Date(taskUpdatedAt(task) ?? Number.NaN);
  return {
    id: textOf(task['id']),
    description: textOf(task['description']),
    status: statusName(task['status']),
    isOver: isTerminalStatus(task['status']),
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(Number.isNaN(at.getTime()) ? {} : { updatedAt: at.toISOString() }),
  };
}
