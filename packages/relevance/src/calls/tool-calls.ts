import { codedCalls } from './code-mode.ts';
import { toolAccess } from './file-access.ts';
import { literalAt } from './literals.ts';

/** Reads what a call does from the name of its tool and its arguments. */
export const toolCalls = { access: toolAccess, coded: codedCalls, literalAt } as const;
