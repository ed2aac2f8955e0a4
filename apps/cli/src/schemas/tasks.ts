import { type TaskEntry, taskEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx tasks --json` answers. */
export interface TasksAnswer {
  readonly store: string;
  readonly session: string;
  readonly tasks: readonly TaskEntry[];
}

export const tasksAnswerSchema: z.ZodType<TasksAnswer> = z.object({
  store: z.string(),
  session: z.string(),
  tasks: z.array(taskEntrySchema),
});
