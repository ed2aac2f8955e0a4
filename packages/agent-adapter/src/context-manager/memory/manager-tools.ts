import { type ReadBackTool, readBackTools } from '../../read-back/read-back-tools.ts';
import { noInput, recallInput, rememberInput } from '../../read-back/tool-inputs.ts';
import { recallText, rememberText } from './memory-texts.ts';
import type { MemoryHost } from './memory-tools.ts';

const statusText = 'Says how full the context window is and what has left it.';

/** What the tools of a manager act on. */
export interface ManagerToolHost extends MemoryHost {
  readonly sessionId: string;
  /** One paragraph: how full the window is, what has left. */
  readonly status: () => Promise<string>;
}

/** What the tools do is loaded with the first call. */
const running = () => import('./run-memory-tool.ts');

/** What a model can be offered: read back, search, remember, recall, status. Answers are capped. */
export function managerTools(host: ManagerToolHost): readonly ReadBackTool[] {
  const { store, sessionId } = host;
  return [
    ...readBackTools(store, { sessionId }),
    {
      name: 'ctx_remember',
      description: rememberText,
      inputSchema: rememberInput,
      execute: async (args) => (await running()).runRemember(host, args),
    },
    {
      name: 'ctx_recall',
      description: recallText,
      inputSchema: recallInput,
      execute: async (args) => (await running()).runRecall(host, args),
    },
    {
      name: 'ctx_status',
      description: statusText,
      inputSchema: noInput,
      execute: async (args) => (await running()).runStatus(() => host.status(), args),
    },
  ];
}
