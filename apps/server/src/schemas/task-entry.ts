import { taskState } from '@ctx/store';
import * as z from 'zod';
import type { Answer } from './answer.ts';

/** A task of a session. */
export const taskEntrySchema = z.object({
  id: z.string(),
  description: z.string(),
  status: z.string(),
  /** Whether it is over, by its status. */
  isOver: z.boolean(),
  /** 0 to 1. */
  progress: z.number().exactOptional(),
  /** Last update, ISO 8601. */
  updatedAt: z.string().exactOptional(),
});

export type TaskEntry = Answer<typeof taskEntrySchema>;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Makes the entry of a task, whatever wrote it. */
export function taskEntryOf(task: Parameters<typeof taskState>[0]): TaskEntry {
  const { progress } = task;
  const { status, isOver, updatedAt } = taskState(task);
  const at = new Date(updatedAt ?? Number.NaN);
  return {
    id: textOf(task['id']),
    description: textOf(task['description']),
    ...{ status, isOver },
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(Number.isNaN(at.getTime()) ? {} : { updatedAt: at.toISOString() }),
  };
}
