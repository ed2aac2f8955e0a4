import { codedCalls } from './code-mode.ts';
import { toolAccess } from './file-access.ts';

/** Reads what a call does from the name of its tool and its arguments. */
export const toolCalls = { access: toolAccess, coded: codedCalls } as const;
