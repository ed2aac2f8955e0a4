import { entrySchemas } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx tasks --json` answers. */
export const tasksAnswerSchema = z.object({
  store: z.string(),
  session: z.string(),
  tasks: z.array(entrySchemas.task),
});
